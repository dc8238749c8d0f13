import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { printClient, printEveryOperation } from '../../scripts/client-printer.mjs'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { type OpenApiOptions, printOpenApi } from '../../src/http/openapi/print.ts'
import type { Json } from '../harness.ts'

const OPTIONS: OpenApiOptions = { serverUrl: 'http://127.0.0.1/v1', version: '0', events: {} }

const FILE: Endpoint = {
  id: 'product_files.add_one',
  method: 'POST',
  path: '/products/:id/files',
  permission: 'products:write',
  summary: 'Add a file */ to a product.',
  params: z.object({ id: z.string().describe('The product.') }),
  body: z.strictObject({ url: z.string().describe('Its address.') }),
  example: { url: 'https://example.com/a.png' },
  response: z.object({ id: z.int().describe('The id of the file.') }),
  errors: ['NOT_FOUND'],
  handle: async () => ({}),
}

/** Returns the text of all printed files. */
const textOf = (files: Map<string, string>): string => [...files.values()].join('\n')

const print = (endpoint: Endpoint, change: (operation: Json) => void = () => {}) => {
  const document: Json = printOpenApi([endpoint], OPTIONS)
  const [operations] = Object.values<Json>(document.paths)
  change(operations[endpoint.method.toLowerCase()])
  return {
    client: textOf(printClient([endpoint], document, { codes: ['NOT_FOUND'] })),
    program: () => printEveryOperation([endpoint], document),
  }
}

test('an operation is printed with its summary, and no text can end its comment', () => {
  const { client } = print(FILE)
  expect(client).toContain('  productFiles: ProductFilesApi\n')
  expect(client).toContain('   * Add a file *\\/ to a product.\n')
  expect(client).toContain('   * @param id The product.\n')
  expect(client).toContain(
    'addOne(id: string, body: ProductFilesAddOneBody, options?: PostOptions): Call<{\n    /** The id of the file. */\n    id: number\n  }>',
  )
  expect(client).toContain(
    "addOne: { method: 'POST', path: '/products/:id/files', takes: 'body' },",
  )
})

test('a form with a file is printed as an alternative body, in which the file is a Blob', () => {
  const form = {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file.' },
      name: { type: 'string', description: 'Its name.' },
    },
    required: ['file'],
  }
  const { client } = print(FILE, ({ requestBody }) => {
    requestBody.content['multipart/form-data'] = { schema: form }
  })
  expect(client).toContain('export type ProductFilesAddOneBody = {\n  /** Its address. */')
  expect(client).toContain('} | {\n  /** The file. */\n  file: Blob\n')
  expect(client).toContain('  name?: string\n')
})

test('an operation whose answer is not JSON is printed to return the Response', () => {
  const { client } = print(FILE, ({ responses }) => {
    responses[200].content = { 'text/csv': { schema: { type: 'string' } } }
  })
  expect(client).toContain('options?: PostOptions): Promise<Response>')
  expect(client).toContain("takes: 'body', raw: true },")
})

test('a schema that the client cannot express is refused', () => {
  expect(() => print({ ...FILE, id: 'products.files.add' })).toThrow('not area.verb')
  const query = z.object({ dry_run: z.string().describe('Try.') })
  expect(() => print({ ...FILE, query })).toThrow('a body and a query')
  const { example: _, ...withoutExample } = FILE
  expect(() => print(withoutExample).program()).toThrow('no example')
})

describe('a schema refers to another schema instead of repeating its fields', () => {
  const Group = z.object({
    id: z.int().describe('Its id.'),
    name: z.string().describe('Its name.'),
    slug: z.string().describe('Its address.'),
    note: z.string().describe('For you.'),
  })
  const GroupFields = Group.omit({ id: true })
  const endpointOf = (id: string, response: z.ZodObject, body?: z.ZodObject): Endpoint => {
    const { params: _, ...fields } = FILE
    return { ...fields, id, path: `/${id}`, response, ...(body && { body, example: {} }) }
  }
  const printAll = (...endpoints: Endpoint[]) =>
    textOf(printClient(endpoints, printOpenApi(endpoints, OPTIONS), {}))

  test('if one schema extends the other, or changes it', () => {
    const client = printAll(
      endpointOf(
        'groups.get',
        z.object({
          group: Group.extend({ uses: z.int().describe('How often.') }).meta({ id: 'Group' }),
          listed: Group.meta({ id: 'ListedGroup' }),
        }),
        GroupFields.partial().meta({ id: 'GroupPatch' }),
      ),
    )
    expect(client).toContain(
      'export interface Group extends ListedGroup {\n  /** How often. */\n  uses: number\n}\n',
    )
    expect(client).toContain(
      "export type GroupPatch = Partial<Pick<\n  Group,\n  'name' | 'slug' | 'note'\n>>\n",
    )
    expect(client.match(/Its name\./g)).toHaveLength(1)
  })

  test('but not if a description differs, or only some of the fields are optional', () => {
    const client = printAll(
      endpointOf('groups.get', z.object({ group: Group.meta({ id: 'Group' }) })),
      endpointOf(
        'groups.add',
        z.object({ id: z.int() }),
        GroupFields.extend({ name: z.string().describe('Another name.') }).meta({
          id: 'GroupInput',
        }),
      ),
      endpointOf(
        'groups.change',
        z.object({ id: z.int() }),
        GroupFields.partial({ slug: true }).meta({ id: 'GroupPatch' }),
      ),
    )
    expect(client).toContain('export interface GroupInput {\n  /** Another name. */')
    expect(client).toContain('export interface GroupPatch {\n')
  })

  test('if the fields are the limit and offset of a list', () => {
    const page = {
      limit: z.int().optional().describe('At most.'),
      offset: z.int().optional().describe('Left out.'),
    }
    const listOf = (id: string, parameters: z.ZodRawShape): Endpoint => ({
      ...endpointOf(id, z.object({ ids: z.array(z.int()) })),
      method: 'GET',
      body: undefined,
      query: z.object({ ...page, ...parameters }),
    })
    const client = printAll(
      listOf('groups.list', {}),
      listOf('notes.list', { code: z.string().optional() }),
    )
    expect(client).toContain('export type GroupsListQuery = PageQuery\n')
    expect(client).toContain(
      'export interface NotesListQuery extends PageQuery { code?: string }\n',
    )
  })
})

test('a printed file has at most 400 lines', async () => {
  const folder = new URL('../../sdk/client/api/', import.meta.url)
  for (const name of await readdir(folder)) {
    const lines = (await readFile(new URL(name, folder), 'utf8')).split('\n').length
    expect([name, lines <= 401]).toEqual([name, true])
  }
})
