# shellcheck shell=bash
# The servers that are measured, each on a port of its own on 127.0.0.1, all ended at exit.

# shellcheck disable=SC2034  # used by the script that sources this file
readonly DOUBLE_PORT=4110 NGINX_PORT=4112 OTHER_PORT=4113
SERVER_PIDS=()
DOUBLE_PID=

stop_servers() {
  local pid
  for pid in "${SERVER_PIDS[@]}"; do
    kill "$pid" 2>/dev/null || true
  done
  wait "${SERVER_PIDS[@]}" 2>/dev/null || true
  SERVER_PIDS=()
}

# wait_for URL [HEADER]: until it answers 200, at most 60 seconds.
wait_for() {
  local deadline=$((SECONDS + 60))
  until curl -sf -o /dev/null ${2:+-H "$2"} "$1"; do
    [ "$SECONDS" -lt "$deadline" ] || die 1 "no response from $1"
    sleep 0.05
  done
}

# start_double [ARGUMENT]...: all checks on; connections last as long as nginx's.
start_double() {
  "$BENCH_BUILD/mock_server/mock_server" --port "$DOUBLE_PORT" --quiet \
    --requests-per-connection 1000000000 "$@" >"$BENCH_LOGS/double.log" 2>&1 &
  DOUBLE_PID=$!
  SERVER_PIDS+=("$DOUBLE_PID")
  wait_for "http://127.0.0.1:$DOUBLE_PORT/_mock/health"
}

# start_nginx BODY_FILE FOLDER: answers / with the body from memory (`return 200`), and /files/ with
# the files of a folder.
start_nginx() {
  local body
  body=$(sed "s/'/\\\\'/g" "$1")
  [[ $body != *'$'* ]] || die 1 "nginx would read a variable in $1"
  cat >"$BENCH_LOGS/nginx.conf" <<CONF
daemon off;
worker_processes auto;
pid $BENCH_LOGS/nginx.pid;
error_log $BENCH_LOGS/nginx.error.log;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000000;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path $BENCH_LOGS/nginx.body;
  proxy_temp_path $BENCH_LOGS/nginx.proxy;
  fastcgi_temp_path $BENCH_LOGS/nginx.fastcgi;
  uwsgi_temp_path $BENCH_LOGS/nginx.uwsgi;
  scgi_temp_path $BENCH_LOGS/nginx.scgi;
  server {
    listen 127.0.0.1:$NGINX_PORT;
    default_type application/json;
    location / { return 200 '$body'; }
    location /files/ { alias $2/; default_type application/pdf; }
  }
}
CONF
  PATH=$PATH:/usr/sbin nginx -c "$BENCH_LOGS/nginx.conf" >"$BENCH_LOGS/nginx.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for "http://127.0.0.1:$NGINX_PORT/"
}
