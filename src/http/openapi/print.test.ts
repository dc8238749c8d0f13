import { describe, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { EVENT_DOCUMENTATION } from '../../events/documentation.ts'
import { PUBLIC_EVENTS } from '../../events/types.ts'
import { AREAS } from '../../kernel/permissions.ts'
import { storeEndpoints } from '../../surfaces/store-api.ts'
import { lint, undescribedPaths } from './checks.fixture.ts'
import { printOpenApi } from './print.ts'
import { TAG_OF_AREA } from './tags.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

interface Operation {
  method: string
  path: string
  operation: Json
}

const operationsOf = (document: Json): Operation[] =>
  Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      method,
      path,
      operation: item[method],
    })),
  )

describe('the document of the Store API', () => {
  const document = printOpenApi(storeEndpoints, {
    serverUrl: 'http://127.0.0.1:4100/v1',
    version: '0.1.0',
    ...EVENT_DOCUMENTATION,
  }) as Json
  const operations = operationsOf(document)

  test('has every endpoint and nothing else', () => {
    const printed = operations.map(
      ({ method, path, operation }) => `${operation.operationId} ${method} ${path}`,
    )
    const served = storeEndpoints.map(
      ({ id, method, path }) => `${id} ${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(printed.sort()).toEqual(served.sort())
    expect(new Set(storeEndpoints.map(({ id }) => id)).size).toBe(storeEndpoints.length)
  })

  test('has a summary, description, tag, permission and refusals for each operation', () => {
    const tags = document.tags.map(({ name }: Json) => name)
    for (const { operation } of operations) {
      expect(operation.operationId).toMatch(/^[a-z_]+(\.[a-z_]+)+$/)
      expect(operation.summary, operation.operationId).toBeTruthy()
      expect(operation.description, operation.operationId).toBeTruthy()
      expect(tags).toEqual(expect.arrayContaining(operation.tags))
      expect(operation.tags).toHaveLength(1)
      expect(operation['x-permission']).toMatch(/^[a-z]+:(read|write)$/)
      expect(operation.security).toEqual([{ ApiKey: [], StoreHash: [] }])
      expect(Object.keys(operation.responses)).toEqual(
        expect.arrayContaining(['401', '403', '404', '429', '500', '503']),
      )
    }
  })

  test('has an example for each JSON body', () => {
    const withoutExample = operations
      .filter(({ operation }) => operation.requestBody)
      .filter(({ operation }) => !operation.requestBody.content['application/json'].example)
    expect(withoutExample.map(({ operation }) => operation.operationId)).toEqual([])
  })

  test('describes every property and every parameter', () => {
    expect(undescribedPaths(document)).toEqual([])
  })

  test('has one webhook for each public event', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(PUBLIC_EVENTS))
  })

  test('satisfies the recommended rules of Redocly, its examples included', {
    timeout: 60_000,
  }, () => {
    expect(lint(document)).toEqual([])
  })
})

test('every area of permissions has a tag, and every tag is that of an area', () => {
  expect(Object.keys(TAG_OF_AREA).sort()).toEqual([...AREAS].sort())
})
