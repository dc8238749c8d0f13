import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from './schemas.ts'

/** Resolves a `$ref` within the document; returns any other node unchanged. */
export function follow(document: unknown, node: unknown): unknown {
  const { $ref } = node as Json
  if (typeof $ref !== 'string') return node
  const steps = $ref.split('/').slice(1)
  return steps.reduce((at, step) => (at as Json)[step], document)
}

const DESCRIBED = new Set(['properties', 'parameters', 'headers'])

/**
 * Paths of properties, parameters and headers without a description, neither their own nor that of
 * the referenced component.
 */
export const undescribed = (document: unknown): string[] => undescribedIn(document, document, '')

function undescribedIn(document: unknown, node: unknown, path: string, areNamed = false): string[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, child]) => {
    if (!areNamed && /^examples?$/.test(key)) return []
    const here = `${path}/${(areNamed && child.name) || key.replaceAll('/', '~1')}`
    const isBare = areNamed && !child.description && !(follow(document, child) as Json).description
    const within = undescribedIn(document, child, here, !areNamed && DESCRIBED.has(key))
    return isBare ? [here, ...within] : within
  })
}

const REDOCLY = fileURLToPath(new URL('../../../node_modules/.bin/redocly', import.meta.url))

/** Runs the recommended rules of Redocly; returns its findings. */
export function lint(document: unknown): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  try {
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document, null, 2))
    const args = ['lint', 'openapi.json', '--extends', 'recommended', '--format', 'json']
    const { stdout, stderr } = spawnSync(REDOCLY, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    })
    if (!stdout.startsWith('{')) throw new Error(`Redocly failed: ${stdout}${stderr}`)
    return (JSON.parse(stdout) as Report).problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Report {
  problems: { severity: string; ruleId: string; message: string; location: { pointer: string }[] }[]
}
