import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { type Refusal, unavailable } from '../kernel/errors.ts'
import { openServer } from './server.ts'

const render = ({ status, code }: Refusal) => ({ status, body: JSON.stringify({ code }) })

test('the log contains the route instead of the path, which may contain a secret', async () => {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const server = openServer(log, [], render)
  onTestFinished(() => server.close())
  server.get('/files/:link', async () => 'bytes')
  await server.inject('/files/SECRET?token=SECRET')
  await server.inject('/nowhere/SECRET')
  const entries = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
  expect(entries).toMatchObject([
    { method: 'GET', path: '/files/:link', status: 200 },
    { method: 'GET', path: null, status: 404 },
  ])
  expect(lines.join()).not.toContain('SECRET')
})

test.each([
  [
    'a file',
    unavailable(
      'Files cannot be stored now.',
      1,
      Object.assign(new Error('disk full'), { code: 'ENOSPC' }),
    ),
  ],
  ['the database', Object.assign(new Error('disk full'), { code: '53100' })],
])('the reason why %s is unavailable is logged, and not sent to the caller', async (_, error) => {
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const server = openServer(log, [], render)
  onTestFinished(() => server.close())
  server.get('/', async () => {
    throw error
  })
  const answer = await server.inject('/')
  expect(answer).toMatchObject({ statusCode: 503, body: '{"code":"SERVICE_UNAVAILABLE"}' })
  const failureCode =
    (error as { code?: string; cause?: { code: string } }).cause?.code ?? error.code
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, reason: 'disk full', failed: failureCode },
  ])
})
