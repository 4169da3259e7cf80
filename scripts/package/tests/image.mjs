// The image as a test sees it: built by scripts/package.sh, read by buildah, run in namespaces of its own.
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
export const build = process.env.COUNTERPART_BUILD ?? join(root, 'build/release');
export const work = mkdtempSync(join(tmpdir(), 'counterpart-image-'));

// Builds into `folder`; returns digest and archive.
export function build_image(folder, {environment = {}, umask = '022', cwd = root} = {}) {
  const command = `umask ${umask}; exec "$0" --only archive,image --build "$1" --output "$2"`;
  execFileSync('bash', ['-c', command, join(root, 'scripts/package.sh'), build, join(work, folder)],
               {cwd, env: {...process.env, ...environment}, stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8'});
  const archive = join(work, folder, readdirSync(join(work, folder)).find((name) => name.endsWith('.oci.tar')));
  return {digest: JSON.parse(member(archive, 'index.json')).manifests[0].digest, archive};
}

function buildah(...words) {
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'storage-run')];
  return execFileSync('buildah', [...storage, '--storage-driver', 'vfs', ...words],
                      {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']}).trim();
}

// A member of the archive, as text.
function member(archive, name) {
  return execFileSync('tar', ['-xOf', archive, name], {encoding: 'utf8'});
}

const blob = (digest) => `blobs/sha256/${digest.replace('sha256:', '')}`;

// The image as an OCI client unpacks it, and its configuration and manifest.
export function open_image(archive) {
  const container = buildah('from', '--pull-never', `oci-archive:${archive}`);
  const index = JSON.parse(member(archive, 'index.json'));
  const manifest = JSON.parse(member(archive, blob(index.manifests[0].digest)));
  return {
    rootfs: buildah('mount', container),
    seen: JSON.parse(buildah('inspect', container)),
    index,
    manifest,
    config: JSON.parse(member(archive, blob(manifest.config.digest))).config,
  };
}

const running = new Set();

export async function close_images() {
  for (const container of running) {
    container.kill();
    await container.ended;
  }
  buildah('umount', '--all');
  buildah('rm', '--all');
  rmSync(work, {recursive: true, force: true});
}

// Mounts as a container runtime does: the root read-only, then /proc and volumes; then the entry point as
// the user, without capabilities, as process 1.
const kStart = `
mount --make-rprivate /
mount --bind "$ROOTFS" "$ROOTFS"
mount -t proc proc "$ROOTFS/proc"
for volume in $VOLUMES; do mount --bind "\${volume%%:*}" "$ROOTFS/\${volume#*:}"; done
mount -o remount,bind,ro "$ROOTFS"
change_root=$(command -v chroot)
exec env -i "\${VARIABLES[@]}" "$(command -v setpriv)" --no-new-privs "$change_root" --userspec="$RUN_AS" --groups="" "$ROOTFS" "$@"
`;

export class Container {
  // `volumes`: {"/contract": FOLDER}. `words` follow the entry point.
  constructor(image, {user = image.config.User, volumes = {}, words = ['--port', '0'], environment = []} = {}) {
    const pairs = Object.entries(volumes);
    for (const place of ['proc', ...pairs.map(([place]) => place)]) {
      mkdirSync(join(image.rootfs, place), {recursive: true});
    }
    // By this variable, what a script has started is found and ended after it.
    const mark = process.env.COUNTERPART_SCRIPT ? [`COUNTERPART_SCRIPT=${process.env.COUNTERPART_SCRIPT}`] : [];
    const variables = [...image.config.Env, ...environment, ...mark].map((text) => `'${text}'`).join(' ');
    this.image = image;
    this.places = pairs.map(([place]) => place);
    this.child = spawn(
        'unshare',
        ['--mount', '--pid', '--fork', '--kill-child', 'bash', '-euc', `VARIABLES=(${variables})\n${kStart}`,
         'start', ...image.config.Entrypoint, ...words],
        {
          env: {PATH: process.env.PATH, ROOTFS: image.rootfs, RUN_AS: user,
                VOLUMES: pairs.map(([place, folder]) => `${folder}:${place}`).join(' ')},
          stdio: ['ignore', 'pipe', 'pipe'],
        });
    running.add(this);
    this.errors = '';
    this.child.stderr.on('data', (bytes) => this.errors += bytes);
    this.ended = once(this.child, 'close').then(([code]) => {
      running.delete(this);
      for (const place of this.places) {
        rmSync(join(image.rootfs, place), {recursive: true, force: true});
      }
      return code;
    });
  }

  // Waits until it listens; sets port and url.
  async listening() {
    for await (const line of createInterface({input: this.child.stdout})) {
      const found = /^listening on http:\/\/0\.0\.0\.0:(\d+)$/.exec(line);
      if (found) {
        this.port = found[1];
        this.url = `http://127.0.0.1:${this.port}`;
        return this;
      }
    }
    throw new Error(`it does not listen: ${this.errors}`);
  }

  // The process of the program, as this machine numbers it.
  get pid() {
    const {pid} = this.child;
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  }

  // Runs a command in it, as the user that it runs as.
  run(command) {
    const [user, group] = this.image.config.User.split(':');
    return spawnSync('nsenter', ['--target', this.pid, '--mount', '--pid', '--root', '--wd', '--setuid', user,
                                 '--setgid', group, ...command],
                     {encoding: 'utf8', env: {}});
  }

  kill() {
    process.kill(Number(this.pid), 'SIGKILL');
  }

  async stop() {
    process.kill(Number(this.pid), 'SIGTERM');
    return await this.ended;
  }
}
