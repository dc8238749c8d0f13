import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json } from './schemas.ts'

/** Resolves a `$ref` within the document; returns any other node unchanged. */
export function resolveRef(document: unknown, node: unknown): unknown {
  const { $ref } = node as Json
  if (typeof $ref !== 'string') return node
  const segments = $ref.split('/').slice(1)
  return segments.reduce((parent, segment) => (parent as Json)[segment], document)
}

const DESCRIBED = new Set(['properties', 'parameters', 'headers'])

/**
 * Returns the paths of properties, parameters and headers without a description. A description of the
 * referenced component also counts.
 */
export const undescribedPaths = (document: unknown): string[] =>
  undescribedIn(document, document, '')

/** `areNamed` is true if the children of the node are properties, parameters or headers. */
function undescribedIn(document: unknown, node: unknown, path: string, areNamed = false): string[] {
  if (node === null || typeof node !== 'object') return []
  return Object.entries(node).flatMap(([key, child]) => {
    if (!areNamed && /^examples?$/.test(key)) return []
    const childPath = `${path}/${(areNamed && child.name) || key.replaceAll('/', '~1')}`
    const isBare =
      areNamed && !child.description && !(resolveRef(document, child) as Json).description
    const childPaths = undescribedIn(document, child, childPath, !areNamed && DESCRIBED.has(key))
    return isBare ? [childPath, ...childPaths] : childPaths
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
    return (JSON.parse(stdout) as LintReport).problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface LintReport {
  problems: { severity: string; ruleId: string; message: string; location: { pointer: string }[] }[]
}
