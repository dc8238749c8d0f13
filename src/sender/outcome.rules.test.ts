import { describe, expect, test } from 'vitest'
import { answeredOutcome, failureOf, SendFailure, tlsFailureOf } from './outcome.rules.ts'

const errorWithCode = (code: string) => Object.assign(new Error('connect 10.1.2.3:443'), { code })

describe('a failure', () => {
  test.each(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'])(
    'by %s is caused by this machine',
    (code) => {
      expect(failureOf(errorWithCode(code)).isLocal).toBe(true)
    },
  )

  test.each([
    ['ECONNREFUSED', 'connection_refused'],
    ['EHOSTUNREACH', 'connection_refused'],
    ['ENETDOWN', 'connection_refused'],
    ['EADDRNOTAVAIL', 'connection_refused'],
    ['ECONNRESET', 'connection_reset'],
    ['EPIPE', 'connection_reset'],
    ['ETIMEDOUT', 'timeout'],
    ['EPROTO', 'tls_error'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_error'],
    ['CERT_HAS_EXPIRED', 'tls_error'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_error'],
    ['UNKNOWN_CODE', 'connection_reset'],
  ])(
    'by %s is caused by the receiver, has the error code %s, and names no address',
    (code, error_code) => {
      const { isLocal, message, ...failure } = failureOf(errorWithCode(code))
      expect([failure.error_code, isLocal]).toEqual([error_code, false])
      expect(message).not.toContain('10.1.2.3')
    },
  )

  test('without a code is a connection error, or a TLS error during the handshake', () => {
    expect(failureOf(new Error('?')).error_code).toBe('connection_reset')
    expect(tlsFailureOf(new Error('?')).error_code).toBe('tls_error')
    expect(tlsFailureOf(errorWithCode('ECONNRESET')).error_code).toBe('connection_reset')
  })

  test('that is a SendFailure is unchanged', () => {
    const sendFailure = new SendFailure('blocked_address', 'Not there.')
    expect(failureOf(sendFailure)).toBe(sendFailure)
  })
})

test.each([
  [200, null],
  [299, null],
  [300, 'http_status: The receiver answered 300; redirects are not followed.'],
  [399, 'http_status: The receiver answered 399; redirects are not followed.'],
  [400, 'http_status: The receiver answered 400.'],
  [503, 'http_status: The receiver answered 503.'],
])('an answer of %i has the error %j', (status_code, error) => {
  expect(answeredOutcome(status_code, 'text', 5)).toEqual({
    ok: error === null,
    status_code,
    error_code: error && 'http_status',
    error,
    response_body: 'text',
    duration_ms: 5,
  })
})
