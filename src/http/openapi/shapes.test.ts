import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../../test/harness.ts'
import { EVENT_DOCUMENTATION } from '../../events/documentation.ts'
import { CODES } from '../../kernel/errors.ts'
import { PathId } from '../../kernel/shapes.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { lint, resolveRef, undescribedPaths } from './checks.fixture.ts'
import { printOpenApi } from './print.ts'

const OPTIONS = {
  serverUrl: 'https://shop.example.org/v1',
  version: '0.1.0',
  events: EVENT_DOCUMENTATION.events,
}

const print = (endpoints: readonly Endpoint[], options = {}): Json =>
  printOpenApi(endpoints, { ...OPTIONS, ...options })

// One endpoint for each feature of the printer, including features that no real endpoint uses yet.
const Note = z
  .object({
    text: z.string().describe('The text.'),
    tags: z.array(z.string()).default([]).describe('Search words.'),
    color: z.enum(['red', 'blue']).nullable().describe('The colour.'),
  })
  .meta({ id: 'Note', description: 'A note.' })
const Pinned = z.object({ note: Note }).meta({ id: 'Pinned', description: 'A note on the wall.' })
const Position = z
  .object({ x: z.int().max(9).describe('From the left.') })
  .meta({ id: 'Position', description: 'A position.' })

const common = { errors: [], handle: async () => ({}) as never } as const
const sampleEndpoints: Endpoint[] = [
  endpoint({
    ...common,
    id: 'notes.list',
    method: 'GET',
    path: '/notes',
    permission: 'products:read',
    summary: 'List notes.',
    query: z.object({
      limit: z
        .string()
        .transform(Number)
        .meta({ openapi: { type: 'integer', minimum: 1, maximum: 100, default: 25 } })
        .default(25)
        .describe('Notes on a page.'),
      color: z
        .string()
        .transform((text) => text.split(','))
        .meta({ openapi: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } } })
        .optional()
        .describe('One or several colours.'),
    }),
    response: z.object({ notes: z.array(Note).describe('A page.') }),
  }),
  endpoint({
    ...common,
    id: 'notes.pin',
    method: 'POST',
    path: '/notes/:id/pin',
    permission: 'products:write',
    feature: 'affiliates',
    audit: 'nothing',
    summary: 'Pin a note.',
    params: z.object({ id: z.string().describe('The note.') }),
    body: z.strictObject({
      pinned: Pinned,
      place: Position.nullable().describe('The position on the wall; null means anywhere.'),
    }),
    example: { pinned: { note: { text: 'Milk', color: null } }, place: { x: 3 } },
    status: 201,
    response: z
      .object({
        pinned: Pinned,
        place: Position.describe('The position on the wall.'),
        rest: z.null().describe('None.'),
      })
      .meta({
        example: {
          pinned: { note: { text: 'Milk', tags: [], color: null } },
          place: { x: 3 },
          rest: null,
        },
      }),
    errors: ['INVALID_STATE', 'OUT_OF_STOCK', 'CUSTOMER_BLOCKED'],
  }),
  endpoint({
    ...common,
    id: 'notes.unpin',
    method: 'POST',
    path: '/notes/:id/unpin',
    permission: 'products:write',
    audit: 'nothing',
    summary: 'Take a note down.',
    params: z.object({ id: z.string().describe('The note.') }),
    response: z.object({}),
  }),
]
const payloads = {
  'order.created': {
    schema: z
      .object({
        object: z.literal('order').describe('Always `order`.'),
        total: z.number().describe('In major units.'),
      })
      .meta({ id: 'OrderPayload', description: 'An order in an event.' }),
    sample: { object: 'order', total: 19.99 },
  },
}

describe('in a printed document', () => {
  const document = print(sampleEndpoints, { payloads })
  const { schemas, responses } = document.components
  const list = document.paths['/notes'].get
  const pin = document.paths['/notes/{id}/pin'].post
  const unpin = document.paths['/notes/{id}/unpin'].post

  test('Redocly finds no fault', { timeout: 60_000 }, () => {
    expect(lint(document)).toEqual([])
    expect(undescribedPaths(document)).toEqual([])
  })

  test('a wrong example is found', { timeout: 60_000 }, () => {
    const wrongExamples = sampleEndpoints.map((item) => ({
      ...item,
      ...(item.example ? { example: { place: 'left' } } : {}),
    }))
    expect(lint(print(wrongExamples)).join()).toContain('no-invalid-media-type-examples')
  })

  test('a shape that differs between request and answer, and each shape that contains it, has two components', () => {
    expect(schemas.Note.required).toEqual(['text', 'color', 'tags'])
    expect(schemas.NoteInput.required).toEqual(['text', 'color'])
    expect(schemas.Pinned.properties.note.$ref).toBe('#/components/schemas/Note')
    expect(schemas.PinnedInput.properties.note.$ref).toBe('#/components/schemas/NoteInput')
    expect(schemas.PositionInput).toBeUndefined()
  })

  test('a property without a description is found', () => {
    const withoutDescription = z.object({
      note: Note,
      author: z.object({ name: z.string() }).describe('The author.'),
    })
    const [first] = sampleEndpoints
    expect(
      undescribedPaths(print([{ ...first, response: withoutDescription } as Endpoint])),
    ).toEqual(['/components/schemas/NotesListResult/properties/author/properties/name'])
  })

  test('two shapes with one id are refused', () => {
    const otherNote = z.object({ text: z.int() }).meta({ id: 'Note' })
    const [first] = sampleEndpoints
    const endpoints = [first, { ...first, response: z.object({ otherNote }) }] as Endpoint[]
    expect(() => print(endpoints)).toThrow('Note')
  })

  test('an id in a request has the largest exact integer as its maximum, in a body too', () => {
    const [first] = sampleEndpoints
    const linked = z.object({ id: z.int().positive().describe('The linked note.') })
    const document = print([
      {
        ...first,
        method: 'POST',
        path: '/notes/:id',
        query: undefined,
        params: z.object({ id: PathId.describe('The note.') }),
        body: linked,
        example: { id: 7 },
        response: linked,
      } as Endpoint,
    ])
    const { parameters, requestBody, responses: answers } = document.paths['/notes/{id}'].post
    const maximum = Number.MAX_SAFE_INTEGER
    expect(parameters[0].schema).toEqual({ type: 'integer', format: 'int64', minimum: 1, maximum })
    const body = resolveRef(document, requestBody.content['application/json'].schema) as Json
    expect(body.properties.id).toMatchObject({ type: 'integer', exclusiveMinimum: 0, maximum })
    const answer = resolveRef(document, answers[200].content['application/json'].schema)
    expect(JSON.stringify(answer)).not.toContain(String(maximum))
  })

  test('null is listed as a type', () => {
    expect(schemas.Note.properties.color).toEqual({
      type: ['string', 'null'],
      enum: ['red', 'blue', null],
      description: 'The colour.',
    })
    const body = resolveRef(document, pin.requestBody.content['application/json'].schema) as Json
    const { place } = body.properties
    expect(place.anyOf).toEqual([{ $ref: '#/components/schemas/Position' }, { type: 'null' }])
  })

  test('parameters are described as they are sent', () => {
    expect(list.parameters).toEqual([
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'Notes on a page.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
      },
      {
        name: 'color',
        in: 'query',
        required: false,
        description: 'One or several colours.',
        style: 'form',
        explode: false,
        schema: { type: 'array', items: { type: 'string', enum: ['red', 'blue'] } },
      },
    ])
    expect(pin.parameters[0]).toMatchObject({ name: 'id', in: 'path', required: true })
    expect(pin.parameters[1]).toEqual({ $ref: '#/components/parameters/Idempotency-Key' })
  })

  test('each status lists exactly its possible codes', () => {
    const codesAt = (operation: Json, status: number) => {
      const { content } = resolveRef(document, operation.responses[status]) as Json
      expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' })
      return Object.keys(content['application/json'].examples)
    }
    expect(Object.keys(list.responses)).toEqual(
      [200, 401, 403, 404, 422, 429, 500, 503].map(String),
    )
    expect(Object.keys(pin.responses)).toEqual(
      [201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503].map(String),
    )
    expect(Object.keys(unpin.responses)).not.toContain('413')
    expect(codesAt(list, 404)).toEqual(['STORE_NOT_FOUND'])
    expect(codesAt(list, 422)).toEqual(['VALIDATION_FAILED'])
    expect(codesAt(pin, 403)).toContain('CUSTOMER_BLOCKED')
    expect(codesAt(pin, 404)).toEqual(['STORE_NOT_FOUND', 'NOT_FOUND'])
    expect(codesAt(pin, 409)).toEqual(['IDEMPOTENCY_IN_PROGRESS', 'INVALID_STATE', 'OUT_OF_STOCK'])
    expect(codesAt(unpin, 422)).toEqual(['IDEMPOTENCY_KEY_REUSED', 'VALIDATION_FAILED'])
  })

  test('headers are listed for the responses that send them', () => {
    expect(Object.keys(responses.Unauthorized.headers)).toEqual(['x-request-id'])
    expect(Object.keys(responses.TooManyRequests.headers)).toContain('Retry-After')
    expect(Object.keys(responses.IdempotencyInProgress.headers)).toContain('Retry-After')
    expect(Object.keys(unpin.responses[200].headers)).toContain('Idempotency-Replayed')
    expect(Object.keys(responses.NotFoundOnPost.headers)).toContain('Idempotency-Replayed')
    expect(Object.keys(list.responses[200].headers)).not.toContain('Idempotency-Replayed')
  })

  test('the example of each code matches a real refusal', () => {
    for (const [code, { value }] of Object.entries<Json>(document.components.examples)) {
      expect(Object.keys(CODES)).toContain(code)
      expect(value).toMatchObject({
        success: false,
        code,
        request_id: expect.stringMatching(/^req_\w{22}$/),
      })
    }
  })

  test('an event contains its record if the shape is known', () => {
    const { schema, example } =
      document.webhooks['order.created'].post.requestBody.content['application/json']
    expect(schema.allOf[1].properties.data.properties.object.$ref).toBe(
      '#/components/schemas/OrderPayload',
    )
    expect(example).toMatchObject({ type: 'order.created', data: { object: { total: 19.99 } } })
  })
})
