# shellcheck shell=bash
# Starts the servers that are measured, on fixed ports of 127.0.0.1, and ends them at exit.

# shellcheck disable=SC2034  # used by the script that sources this file
readonly MOCK_PORT=4110 NGINX_PORT=4112 OTHER_PORT=4113 PROXY_PORT=4114 REDIS_PORT=4115 REPLICA_PORT=4120
SERVER_PIDS=()
MOCK_PID=

stop_servers() {
  local pid
  for pid in "${SERVER_PIDS[@]}"; do
    kill "$pid" 2>/dev/null || true
  done
  wait "${SERVER_PIDS[@]}" 2>/dev/null || true
  SERVER_PIDS=()
}

# wait_for URL [HEADER]: waits until the response is 200, at most 60 seconds.
wait_for() {
  local deadline=$((SECONDS + 60))
  until curl -sf -o /dev/null ${2:+-H "$2"} "$1"; do
    [ "$SECONDS" -lt "$deadline" ] || die 1 "$1 did not respond with 200 within 60 s"
    sleep 0.05
  done
}

# start_mock [ARGUMENT]...: as users start it, but connections last as long as nginx's.
start_mock() {
  "$BENCH_BUILD/mock_server/mock_server" --port "$MOCK_PORT" --quiet \
    --requests-per-connection 1000000000 "$@" >"$BENCH_LOGS/mock.log" 2>&1 &
  MOCK_PID=$!
  SERVER_PIDS+=("$MOCK_PID")
  wait_for "http://127.0.0.1:$MOCK_PORT/_mock/health"
}

# run_nginx NAME PORT: starts an nginx with what standard input says of its servers.
run_nginx() {
  local servers
  servers=$(cat)
  cat >"$BENCH_LOGS/$1.conf" <<CONF
daemon off;
worker_processes auto;
pid $BENCH_LOGS/$1.pid;
error_log $BENCH_LOGS/$1.error.log;
events { worker_connections 2048; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path $BENCH_LOGS/$1.body;
  proxy_temp_path $BENCH_LOGS/$1.proxy;
  fastcgi_temp_path $BENCH_LOGS/$1.fastcgi;
  uwsgi_temp_path $BENCH_LOGS/$1.uwsgi;
  scgi_temp_path $BENCH_LOGS/$1.scgi;
$servers
}
CONF
  PATH=$PATH:/usr/sbin nginx -c "$BENCH_LOGS/$1.conf" >"$BENCH_LOGS/$1.log" 2>&1 &
  SERVER_PIDS+=($!)
  wait_for "http://127.0.0.1:$2/"
}

# start_nginx BODY_FILE FOLDER: serves the body at / from memory (`return 200`), and the files of a
# folder at /files/.
start_nginx() {
  local body
  body=$(sed "s/'/\\\\'/g" "$1")
  [[ $body != *'$'* ]] || die 1 "$1 contains a dollar sign, which nginx would read as a variable"
  run_nginx nginx "$NGINX_PORT" <<CONF
  sendfile on;
  tcp_nopush on;
  server {
    listen 127.0.0.1:$NGINX_PORT;
    default_type application/json;
    location / { return 200 '$body'; }
    location /files/ { alias $2/; default_type application/pdf; }
  }
CONF
}

# A second nginx, as a reverse proxy in front of the first, with connections that are kept.
start_proxy() {
  run_nginx proxy "$PROXY_PORT" <<CONF
  upstream service {
    server 127.0.0.1:$NGINX_PORT;
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:$PROXY_PORT;
    location / {
      proxy_pass http://service;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
CONF
}
