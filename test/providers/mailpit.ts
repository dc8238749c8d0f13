import { spawn } from 'node:child_process'
import { installGoProgram } from '../../scripts/go-program.mjs'
import type { Json } from '../harness.ts'
import { keepPort } from '../ports.ts'
import { until } from '../until.ts'

/** A mail server with an API that shows received mail and checks its HTML and links. */
export interface Mailpit {
  smtpUrl: string
  read(path: string): Promise<Json>
  stop(): Promise<void>
}

/** Starts Mailpit. It needs Go when it is built. */
export async function startMailpit(): Promise<Mailpit> {
  const file = await installGoProgram({
    name: 'mailpit',
    module: 'github.com/axllent/mailpit',
    version: 'v1.33.1',
  })
  const [smtp, http] = [await keepPort(), await keepPort()]
  const child = spawn(file, [
    ...['--smtp', `127.0.0.1:${smtp}`, '--listen', `127.0.0.1:${http}`],
    ...['--disable-version-check', '--smtp-disable-rdns', '--allow-internal-http-requests'],
    '--disable-link-check-rate-limit',
  ])
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  const read = async (path: string) =>
    (await fetch(`http://127.0.0.1:${http}/api/v1/${path}`)).json()
  await until(() =>
    read('info').then(
      () => true,
      () => false,
    ),
  )
  return {
    smtpUrl: `smtp://127.0.0.1:${smtp}?from=shop@example.com`,
    read,
    async stop() {
      child.kill()
      await ended
    },
  }
}
