#!/bin/busybox sh
# The guest's first process: mounts what Linux needs, loads modules, runs /lab/commands in order and writes what they
# said, as a tar, onto the disk that the host reads. Then it powers off.
/bin/busybox mkdir -p /bin /sbin /usr/bin /usr/sbin /proc /sys /dev /tmp /run /root /lab/out/files
/bin/busybox --install -s /bin
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm
mount -t tmpfs tmpfs /dev/shm
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
hostname -F /etc/hostname
while read -r module; do modprobe "$module" || echo "lab: no module $module"; done </lab/modules

now() { cut -d' ' -f1 /proc/uptime; }
for script in /lab/commands/*; do
  name=${script#/lab/commands/*-}
  echo "lab: $name"
  start=$(now)
  sh "$script" >"/lab/out/$name.out" 2>"/lab/out/$name.err" </dev/null
  echo "$? $start $(now)" >"/lab/out/$name.status"
done
while read -r path; do [ -e "$path" ] && cp -a "$path" "/lab/out/files/$(echo "$path" | tr / @)"; done </lab/get
echo "lab: done" | tee /lab/out/done
tar -C /lab/out -cf /dev/vda .
sync
poweroff -f
