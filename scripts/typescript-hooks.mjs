// Lets Node 20 import TypeScript, which it does not support. Types are erased without a check.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const compilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  inlineSourceMap: true,
}

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => unknown} next
 */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: url })
  return { format: 'module', shortCircuit: true, source: outputText }
}
