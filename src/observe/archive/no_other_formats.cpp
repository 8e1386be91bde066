// For the portable build only. libarchive's writer of GNU tar asks for this one function, which
// lies in the object that knows all formats by name; that would bring the writers of xar and
// iso9660, and libxml2 with them, into a program that writes tar alone.
#include <archive.h>
#include <archive_entry.h>

extern "C" void __archive_write_entry_filetype_unsupported(::archive* writer,
                                                           ::archive_entry* entry,
                                                           const char* format) {
  ::archive_set_error(writer, -1, "%s: %s does not hold this type of file",
                      ::archive_entry_pathname(entry), format);
}
