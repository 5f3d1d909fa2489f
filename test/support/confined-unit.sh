#!/bin/sh
# Runs a command as a unit of systemd confines it, as far as a machine without systemd can. Started by
#   unshare --mount --pid --ipc --fork sh confined-unit.sh USER STATE_FOLDER SETTINGS BIND_FROM BIND_TO COMMAND...
# SETTINGS: a file for EnvironmentFile; BIND_FROM is shown at BIND_TO (- for nothing), read only.
set -eu
user=$1 state=$2 settings=$3 from=$4 to=$5
shift 5
mount --make-rprivate /
if [ "$from" != - ]; then mount --bind "$from" "$to"; fi
cp "$settings" /dev/shm/confined-settings.$$
# ProtectHome=yes, PrivateTmp=yes: nothing of them is seen.
for folder in /home /root /run/user; do
  if [ -d "$folder" ]; then mount -t tmpfs -o size=1m,mode=0000 none "$folder"; fi
done
for folder in /tmp /var/tmp; do mount -t tmpfs -o size=64m,mode=1777 none "$folder"; done
cp /dev/shm/confined-settings.$$ /tmp/settings
rm /dev/shm/confined-settings.$$
# StateDirectory=, StateDirectoryMode=0700: a folder of the user below /var/lib, which is empty here.
mount -t tmpfs -o size=256m,mode=0755 none /var/lib
mkdir "$state"
chmod 0700 "$state"
chown "$user" "$state"
mount --bind "$state" "$state"
# PrivateDevices=yes: only devices that hold nothing.
mkdir /tmp/dev
for device in null zero full random urandom; do
  [ -e /dev/$device ] || continue
  touch /tmp/dev/$device
  mount --bind /dev/$device /tmp/dev/$device
done
mount --rbind /tmp/dev /dev
# ProtectProc=invisible, PrivateIPC: processes of others are not seen.
mount -t proc -o hidepid=2 proc /proc
# ProtectSystem=strict: everything but the state folder and /tmp is read only.
awk '{ print $5 }' /proc/self/mountinfo | while read -r place; do
  case $place in
    "$state" | /tmp | /tmp/* | /var/tmp | /dev/* | /proc/*) ;;
    *) mount -o remount,bind,ro "$place" 2>/dev/null || true ;;
  esac
done
set -a
. /tmp/settings
set +a
cd "$state"
umask 0077
# CapabilityBoundingSet=, NoNewPrivileges=yes, User=.
exec setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --no-new-privs \
  --bounding-set=-all --inh-caps=-all --pdeathsig=KILL "$@"
