// Platformatic DB: routes and description made from the tables of a database.
import db from '@platformatic/db-core';
import fastify from 'fastify';

const app = fastify();
app.register(db, {connectionString: process.env.DATABASE_URL, events: false, graphql: false, openapi: true});
await app.listen({host: '127.0.0.1', port: Number(process.env.PORT)});
