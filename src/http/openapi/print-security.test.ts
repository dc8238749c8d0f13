import { describe, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { clientEndpoints } from '../../features/licensing/sessions/endpoints.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { securityDownloads, securityEndpoints } from '../../surfaces/security-api.ts'
import { lint, undescribedPaths } from './checks.fixture.ts'
import { securityOpenApiSteps } from './print-security.ts'

describe('the document of the Client Security API', () => {
  const document = runAtOnce(
    securityOpenApiSteps({
      management: securityEndpoints,
      downloads: securityDownloads,
      runtime: clientEndpoints,
      serverUrl: 'https://shop.example.org/security/v1',
      version: '0.1.0',
    }),
  ) as Json
  const operations = Object.values<Json>(document.paths).flatMap((item) =>
    Object.values<Json>(item),
  )

  test('has every endpoint and nothing else', () => {
    const ids = [...securityEndpoints, ...securityDownloads, ...clientEndpoints].map(({ id }) => id)
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(ids.sort())
  })

  test('has a tag, the refusals 500 and 503 and an example of its JSON body for each operation', () => {
    const tags = document.tags.map(({ name }: Json) => name)
    for (const { operationId, tags: operationTags, responses, requestBody } of operations) {
      expect([operationId, tags]).toEqual([operationId, expect.arrayContaining(operationTags)])
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['500', '503']))
      const content = requestBody?.content['application/json']
      if (content) expect([operationId, content.example]).toEqual([operationId, expect.anything()])
    }
    expect(operations.flatMap(({ responses }) => Object.keys(responses))).not.toContain('204')
  })

  test('requires a nonce for every program call except the key set, and for no management call', () => {
    const withNonce = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name }: Json) => name === 'Client-Nonce'),
    )
    const programCalls = clientEndpoints.map(({ id }) => id).filter((id) => id !== 'client.key_set')
    expect(withNonce.map(({ operationId }) => operationId).sort()).toEqual(programCalls.sort())
  })

  test('describes every property and every parameter', () => {
    expect(undescribedPaths(document)).toEqual([])
  })

  test('satisfies the recommended rules of Redocly, its examples included', {
    timeout: 60_000,
  }, () => {
    expect(lint(document)).toEqual([])
  })
})
