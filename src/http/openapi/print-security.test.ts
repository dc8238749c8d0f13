import { describe, expect, test } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { clientEndpoints } from '../../features/licensing/sessions/endpoints.ts'
import { runAtOnce } from '../../kernel/slices.ts'
import { securityDownloads, securityEndpoints } from '../../surfaces/security-api.ts'
import { lint, undescribed } from './checks.fixture.ts'
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

  test('has a tag, the refusals and an example for each JSON endpoint', () => {
    const tags = document.tags.map(({ name }: Json) => name)
    for (const { operationId, tags: own, responses, requestBody } of operations) {
      expect([operationId, tags]).toEqual([operationId, expect.arrayContaining(own)])
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['500', '503']))
      const json = requestBody?.content['application/json']
      if (json) expect([operationId, json.example]).toEqual([operationId, expect.anything()])
    }
    expect(operations.flatMap(({ responses }) => Object.keys(responses))).not.toContain('204')
  })

  test('requires a nonce for every program call except the key set, and for no management call', () => {
    const withNonce = operations.filter(({ parameters = [] }) =>
      parameters.some(({ name }: Json) => name === 'Client-Nonce'),
    )
    const expected = clientEndpoints.map(({ id }) => id).filter((id) => id !== 'client.key_set')
    expect(withNonce.map(({ operationId }) => operationId).sort()).toEqual(expected.sort())
  })

  test('describes every property and every parameter', () => {
    expect(undescribed(document)).toEqual([])
  })

  test('satisfies the recommended rules of Redocly, its examples included', {
    timeout: 60_000,
  }, () => {
    expect(lint(document)).toEqual([])
  })
})
