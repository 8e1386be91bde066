// Shell scripts, Slurm batch files and pasted command lines: the settings that programs started
// from them get.
//   export A=b · A=b command · env A=b command · setenv A b · mpirun -x A=b · mpiexec -genv A b ·
//   srun --export=ALL,A=b · #SBATCH --export=ALL,A=b · docker run -e A=b · bash -c "…"
// Quotes, comments, continuation lines, here-documents and `unset` are understood; a value that
// only the machine knows ("$HOSTNAME") keeps its dollar sign. Every branch of an `if` counts as
// taken. Nothing is run.
#pragma once

#include "observe/reader.h"
#include "observe/settings/setting_sink.h"

namespace railgauge::observe {

// By its first line ("#!/bin/bash"), or by a directive of a batch system near the beginning.
bool is_shell_script(std::string_view bytes);

// Such a script, or pasted lines that set something for a program. Lines that are whole settings
// ("export A=b") are left to the reader of `env` where the text is no script.
bool looks_like_shell_script(std::string_view bytes);
Result<model::Machine> read_shell_script(const Input& input);

// The settings in a piece of script that stands inside another file.
void shell_settings(std::string_view text, std::uint32_t first_line, SettingSink& sink);

}  // namespace railgauge::observe
