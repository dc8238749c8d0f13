import type { LightMyRequestResponse } from 'fastify'
import type { Answer } from './harness.ts'

/** Reads the answer to an injected request. */
export function answerOf({
  statusCode: status,
  body: text,
  headers,
}: LightMyRequestResponse): Answer {
  const isJson = String(headers['content-type']).startsWith('application/json')
  const json = isJson && text ? JSON.parse(text) : undefined
  return { status, text, json, headers: headers as Record<string, string> }
}
