// Programs of a server that cannot run in a test: each does the part of its work on which the road for a server depends. The service, Caddy,
// git and all else are real.

/** `systemctl` starts what a unit says, as its user. What a reload of Caddy finds stopped, it starts. */
const systemctl = `#!/bin/bash
set -e
pid=/run/palimpsest.pid
case "$*" in
  "enable --now palimpsest" | "start palimpsest")
    unit=/etc/systemd/system/palimpsest.service
    user=$(sed -n 's/^User=//p' $unit)
    install --directory --mode=700 --owner="$user" --group="$user" /var/lib/palimpsest
    cd "$(sed -n 's/^WorkingDirectory=//p' $unit)"
    set -a && . "$(sed -n 's/^EnvironmentFile=//p' $unit)" && set +a
    : >/run/palimpsest.log
    setsid runuser -u "$user" -- sh -c "echo \\$\\$; umask 0077; exec $(sed -n 's/^ExecStart=//p' $unit)" >>/run/palimpsest.log 2>&1 </dev/null &
    grep -q -m1 'is ready at' < <(tail -n +1 -f --pid=$! /run/palimpsest.log) || { cat /run/palimpsest.log; exit 1; }
    head -1 /run/palimpsest.log >$pid ;;
  "stop palimpsest")
    kill "$(cat $pid)"
    tail --pid="$(cat $pid)" -f /dev/null ;;
  "reload caddy")
    caddy reload --config /etc/caddy/Caddyfile --force || caddy start --config /etc/caddy/Caddyfile ;;
esac
`

/** `certbot` is its own authority, and runs the hook as the real one does. */
const certbot = `#!/bin/bash
set -e
while [ $# -gt 0 ]; do
  case $1 in
    --domain) names=\${names:+$names,}DNS:$2 ;;
    --deploy-hook) hook=$2 ;;
  esac
  shift
done
export RENEWED_LINEAGE=/etc/letsencrypt/live/palimpsest
mkdir -p $RENEWED_LINEAGE
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=test -addext "subjectAltName=$names" \\
  -keyout $RENEWED_LINEAGE/privkey.pem -out $RENEWED_LINEAGE/fullchain.pem
sh -c "$hook"
`

/** By the name of the program. */
export const STAND_INS: Readonly<Record<string, string>> = {
  systemctl,
  certbot,
  sudo: '#!/bin/sh\nexec "$@"\n',
  // The build is there: the test runs from it.
  npm: '#!/bin/sh\nln -sfn /mnt/built/dist dist && ln -sfn /mnt/built/node_modules node_modules\n',
  'apt-get': '#!/bin/sh\n',
  ufw: '#!/bin/sh\n',
}
