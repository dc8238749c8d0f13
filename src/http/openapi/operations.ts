import { z } from 'zod'
import { type Endpoint, isBodyRequired } from '../endpoint.ts'
import { responsesOf } from './responses.ts'
import type { Json, SchemaRegistry } from './schemas.ts'
import { TAG_OF_AREA, type Tag } from './tags.ts'

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique text that you choose, such as a UUID. The first answer is kept for 24 hours; a repeat with the same key returns that answer and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'A key of the account: `sk_live_…` for live stores, `sk_test_…` for test sides.',
  },
  StoreHash: {
    type: 'apiKey',
    in: 'header',
    name: 'x-store-hash',
    description: 'The id of the store.',
  },
}

export function tagOf({ id, permission }: Endpoint): Tag {
  const tag = TAG_OF_AREA[permission.replace(/:.*/, '')]
  if (!tag) throw new Error(`${id} has the permission ${permission}, whose area has no tag.`)
  return tag
}

export const pathOf = ({ path }: Pick<Endpoint, 'path'>): string => path.replace(/:(\w+)/g, '{$1}')

export function operationOf(e: Endpoint, book: SchemaRegistry, shared: Json): Json {
  const parameters = parametersOf(e, book)
  return {
    tags: [tagOf(e).name],
    operationId: e.id,
    summary: e.summary,
    description: descriptionOf(e),
    'x-permission': e.permission,
    security: [{ ApiKey: [], StoreHash: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(e.body && { requestBody: bodyOf(e, e.body, book) }),
    responses: responsesOf(e, book, shared),
  }
}

function descriptionOf({ description, permission, feature }: Endpoint): string {
  const switched = feature ? `, and the feature \`${feature}\` switched on in the store` : ''
  const needs = `Needs the permission \`${permission}\`${switched}.`
  return description ? `${description}\n\n${needs}` : needs
}

function parametersOf(e: Endpoint, book: SchemaRegistry): Json[] {
  return [
    ...(e.params ? parametersIn('path', e.params, book) : []),
    ...(e.query ? parametersIn('query', e.query, book) : []),
    ...(e.method === 'POST' ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ]
}

export function parametersIn(
  location: 'path' | 'query',
  shape: z.ZodObject,
  book: SchemaRegistry,
): Json[] {
  const { properties, required = [] } = book.print(z.object(shape.shape), 'request')
  return Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const { description, ...schema } = property
    return {
      name,
      in: location,
      required: location === 'path' || (required as string[]).includes(name),
      description,
      // Lists are comma-separated.
      ...(schema.type === 'array' && { style: 'form', explode: false }),
      schema,
    }
  })
}

function bodyOf(e: Endpoint, body: z.ZodType, book: SchemaRegistry): Json {
  return {
    required: isBodyRequired(e.method, body),
    content: {
      'application/json': {
        schema: book.print(body, 'request'),
        ...(e.example !== undefined && { example: e.example }),
      },
      ...(e.upload && { 'multipart/form-data': { schema: formOf(e.upload, book) } }),
    },
  }
}

const FILE = { type: 'string', format: 'binary', description: 'The file.' }

export function formOf({ form }: NonNullable<Endpoint['upload']>, book: SchemaRegistry): Json {
  const { properties, required = [], ...more } = book.print(form, 'request')
  return {
    ...more,
    properties: { file: FILE, ...(properties as Json) },
    required: ['file', ...(required as string[])],
  }
}
