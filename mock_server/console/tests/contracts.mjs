// A contract of somebody else with 240 operations: 48 kinds of things, each with a list, a read, a create, a delete and
// an upload.

const KINDS = 48;

function paths_of(kind) {
  const tags = [`Things ${kind}`];
  const thing = {$ref: '#/components/schemas/Thing'};
  const json = (schema) => ({content: {'application/json': {schema}}});
  const id = {name: 'id', in: 'path', required: true, schema: {type: 'string'}};
  return {
    [`/v1/things_${kind}`]: {
      get: {operationId: `list_things_${kind}`, tags, summary: `List things ${kind}`, security: [{key: []}],
            parameters: [{name: 'limit', in: 'query', schema: {type: 'integer', minimum: 1, maximum: 100}}, {name: 'tags', in: 'query', schema: {type: 'array', items: {type: 'string'}}}],
            responses: {200: {description: 'All', ...json({type: 'array', items: thing})}}},
      post: {operationId: `create_thing_${kind}`, tags, summary: `Create a thing ${kind}`, requestBody: {required: true, ...json(thing)},
             responses: {201: {description: 'Created', ...json(thing)}}}
    },
    [`/v1/things_${kind}/{id}`]: {
      get: {operationId: `get_thing_${kind}`, tags, parameters: [id], responses: {200: {description: 'One', ...json(thing)}, 404: {description: 'None'}}},
      delete: {operationId: `delete_thing_${kind}`, tags, parameters: [id], responses: {204: {description: 'Gone'}}}
    },
    [`/v1/uploads_${kind}`]: {
      post: {operationId: `upload_${kind}`, tags, requestBody: {required: true, content: {'multipart/form-data': {schema: {type: 'object', required: ['file'],
                                                                                                                     properties: {file: {type: 'string', format: 'binary'}, note: {type: 'string'}}}}}},
             responses: {201: {description: 'Stored', ...json({type: 'object', properties: {id: {type: 'string'}}})}}}
    }
  };
}

export function large_contract() {
  const kinds = Array.from({length: KINDS}, (_, at) => at + 1);
  return {
    openapi: '3.1.0', info: {title: 'A large service', version: '1'}, paths: Object.assign({}, ...kinds.map(paths_of)),
    components: {
      securitySchemes: {key: {type: 'apiKey', in: 'header', name: 'X-API-Key'}},
      schemas: {
        Thing: {type: 'object', required: ['id', 'name', 'state'],
                properties: {id: {type: 'string'}, name: {type: 'string', minLength: 1}, state: {type: 'string', enum: ['new', 'used']}, price: {type: 'number', minimum: 0},
                             is_large: {type: 'boolean'}, made_at: {type: 'string', format: 'date-time'}, size: {type: 'object', properties: {width: {type: 'integer'}, height: {type: 'integer'}}},
                             labels: {type: 'array', items: {type: 'string'}}, note: {type: ['string', 'null']}}}
      }
    }
  };
}
