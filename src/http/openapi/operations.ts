import { z } from 'zod'
import { type Endpoint, isBodyRequired } from '../endpoint.ts'
import { responsesOf } from './responses.ts'
import type { Json, SchemaRegistry } from './schemas.ts'
import { TAG_OF_AREA, type Tag } from './tags.ts'

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'A unique text of printable ASCII characters that you choose, such as a UUID. The first answer is kept for 24 hours. Repeating the call with the same key returns that answer and changes nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
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

export function operationOf(endpoint: Endpoint, registry: SchemaRegistry, shared: Json): Json {
  const parameters = parametersOf(endpoint, registry)
  return {
    tags: [tagOf(endpoint).name],
    operationId: endpoint.id,
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    'x-permission': endpoint.permission,
    security: [{ ApiKey: [], StoreHash: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(endpoint.body && { requestBody: bodyOf(endpoint, endpoint.body, registry) }),
    responses: responsesOf(endpoint, registry, shared),
  }
}

function descriptionOf({ description, permission, feature }: Endpoint): string {
  const featureText = feature ? `, and the feature \`${feature}\` turned on in the store` : ''
  const requirement = `Needs the permission \`${permission}\`${featureText}.`
  return description ? `${description}\n\n${requirement}` : requirement
}

function parametersOf(endpoint: Endpoint, registry: SchemaRegistry): Json[] {
  return [
    ...inputParameters(endpoint, registry),
    ...(endpoint.method === 'POST' ? [{ $ref: '#/components/parameters/Idempotency-Key' }] : []),
  ]
}

/** Returns the parameters in the path and in the query. */
export const inputParameters = (
  { params, query }: Pick<Endpoint, 'params' | 'query'>,
  registry: SchemaRegistry,
): Json[] => [...parametersIn('path', params, registry), ...parametersIn('query', query, registry)]

function parametersIn(
  location: 'path' | 'query',
  shape: z.ZodObject | undefined,
  registry: SchemaRegistry,
): Json[] {
  if (!shape) return []
  const { properties, required = [] } = registry.print(z.object(shape.shape), 'request')
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

function bodyOf(endpoint: Endpoint, body: z.ZodType, registry: SchemaRegistry): Json {
  return {
    ...keptFields(endpoint.method, body),
    required: isBodyRequired(endpoint.method, body),
    content: {
      // Generators with one method for an operation take the first type, and only a form has room for large files.
      ...(endpoint.upload && {
        'multipart/form-data': { schema: formOf(endpoint.upload, registry) },
      }),
      ...jsonContent(body, endpoint.example, registry),
    },
  }
}

/** Says what omitted fields do in a change. In other bodies each field states its default. */
export const keptFields = (method: string, body: z.ZodType): Json =>
  method === 'PATCH' && body.safeParse({}).success
    ? { description: 'Fields that are left out keep their value. Null clears a field.' }
    : {}

export const jsonContent = (body: z.ZodType, example: unknown, registry: SchemaRegistry): Json => ({
  'application/json': {
    schema: registry.print(body, 'request'),
    ...(example !== undefined && { example }),
  },
})

const FILE = { type: 'string', format: 'binary', description: 'The file.' }

export function formOf({ form }: NonNullable<Endpoint['upload']>, registry: SchemaRegistry): Json {
  const { properties, required = [], ...schema } = registry.print(form, 'request')
  return {
    ...schema,
    properties: { file: FILE, ...(properties as Json) },
    required: ['file', ...(required as string[])],
  }
}
