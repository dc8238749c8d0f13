import { expect, test } from 'vitest'
import { z } from 'zod'
import { printClient, printEveryOperation } from '../../scripts/client-printer.mjs'
import type { Endpoint } from '../../src/http/endpoint.ts'
import { type OpenApiOptions, printOpenApi } from '../../src/http/openapi/print.ts'

const OPTIONS: OpenApiOptions = { serverUrl: 'http://127.0.0.1/v1', version: '0', events: {} }

const FILE: Endpoint = {
  id: 'product_files.add_one',
  method: 'POST',
  path: '/products/:id/files',
  permission: 'products:write',
  summary: 'Add a file */ to a product.',
  params: z.object({ id: z.string().describe('The product.') }),
  body: z.strictObject({ url: z.string().describe('Where it is.') }),
  example: { url: 'https://example.com/a.png' },
  response: z.object({ id: z.int().describe('Of the file.') }),
  errors: ['NOT_FOUND'],
  handle: async () => ({}),
}

const printed = (e: Endpoint, change: (operation: any) => void = () => {}) => {
  const document = printOpenApi([e], OPTIONS) as any
  const [operations] = Object.values<any>(document.paths)
  change(operations[e.method.toLowerCase()])
  return {
    client: printClient([e], document, ['NOT_FOUND']),
    program: () => printEveryOperation([e], document),
  }
}

test('an operation is printed with its words, and a comment cannot end early', () => {
  const { client } = printed(FILE)
  expect(client).toContain('  productFiles: {\n')
  expect(client).toContain('     * Add a file *\\/ to a product.\n')
  expect(client).toContain('     * @param id The product.\n')
  expect(client).toContain(
    'addOne(id: string, body: ProductFilesAddOneBody, options?: PostOptions): Promise<{\n      /** Of the file. */\n      id: number\n    }>',
  )
  expect(client).toContain(
    "addOne: { method: 'POST', path: '/products/:id/files', takes: 'body' },",
  )
})

test('a form with a file is a body too, and the file is a Blob', () => {
  const form = {
    type: 'object',
    properties: {
      file: { type: 'string', format: 'binary', description: 'The file.' },
      name: { type: 'string', description: 'What it is called.' },
    },
    required: ['file'],
  }
  const { client } = printed(FILE, ({ requestBody }) => {
    requestBody.content['multipart/form-data'] = { schema: form }
  })
  expect(client).toContain('export type ProductFilesAddOneBody = {\n  /** Where it is. */')
  expect(client).toContain('} | {\n  /** The file. */\n  file: Blob\n')
  expect(client).toContain('  name?: string\n')
})

test('an answer that is not JSON is given as it comes', () => {
  const { client } = printed(FILE, ({ responses }) => {
    responses[200].content = { 'text/csv': { schema: { type: 'string' } } }
  })
  expect(client).toContain('options?: PostOptions): Promise<Response>')
  expect(client).toContain("takes: 'body', raw: true },")
})

test('what the client would have no form for is refused', () => {
  expect(() => printed({ ...FILE, id: 'products.files.add' })).toThrow('not area.verb')
  const query = z.object({ dry_run: z.string().describe('Try.') })
  expect(() => printed({ ...FILE, query })).toThrow('a body and a query')
  const { example: _, ...bare } = FILE
  expect(() => printed(bare).program()).toThrow('no example')
})
