// A service of Feathers as its guide makes one: messages in memory, described by feathers-swagger.
import {feathers} from '@feathersjs/feathers';
import {bodyParser, errorHandler, koa, rest} from '@feathersjs/koa';
import {memory} from '@feathersjs/memory';
import swagger from 'feathers-swagger';

const app = koa(feathers());
app.use(errorHandler());
app.use(bodyParser());
app.configure(rest());
app.configure(swagger({
  openApiVersion: 3,
  docsJsonPath: '/openapi.json',
  specs: {info: {title: 'Messages', description: 'Messages in memory', version: '1.0.0'}},
}));

const message = {type: 'object', properties: {text: {type: 'string'}, author: {type: 'string'}}};
const schemas = {
  change: message,
  new_message: {...message, required: ['text']},
  messages: {...message, required: ['id', 'text'], properties: {id: {type: 'integer'}, ...message.properties}},
  messagesPagination: {
    type: 'object',
    required: ['total', 'limit', 'skip', 'data'],
    properties: {
      total: {type: 'integer'},
      limit: {type: 'integer'},
      skip: {type: 'integer'},
      data: {type: 'array', items: {$ref: '#/components/schemas/messages'}},
    },
  },
};
app.use('messages', memory({
  id: 'id',
  startId: 4,
  paginate: {default: 10, max: 50},
  store: {
    1: {id: 1, text: 'Bread in a cold oven', author: 'Amara'},
    2: {id: 2, text: 'Rye that rises', author: 'Tomas'},
    3: {id: 3, text: 'Salt first', author: 'Amara'},
  },
}), {
  docs: {schemas, refs: {createRequest: 'new_message', updateRequest: 'new_message', patchRequest: 'change'}},
});
await app.listen(Number(process.env.PORT), '127.0.0.1');
