import type { Paint } from '../../../command.ts'
import { AREAS, areaOf, showsDetail } from './areas.rules.ts'

interface Finding {
  check: string
  ok: boolean
  detail: string
  cure: string | null
}

/** One line for each area, and below it the failed checks; passed checks are only counted. */
export function printDiagnosis(findings: readonly Finding[], paint: Paint): string {
  const areas = new Set([...Object.keys(AREAS), ...findings.map(({ check }) => areaOf(check))])
  const lines = [...areas].flatMap((area) => {
    const found = findings.filter(({ check }) => areaOf(check) === area)
    return found.length === 0 ? [] : linesOf(area, found, paint)
  })
  return [...lines, '', summaryOf(findings, paint)].join('\n')
}

function linesOf(area: string, found: readonly Finding[], paint: Paint): string[] {
  const faults = found.filter(({ ok }) => !ok)
  const state = faults.length === 0 ? paint('green', 'ok   ') : paint('red', 'FAULT')
  const count = paint('dim', counted(found.length, 'check'))
  const shown = found.filter(({ ok, check }) => !ok || showsDetail(check))
  return [
    `${state} ${paint('bold', area)}  ${count}`,
    ...shown.flatMap((item) => linesOfFinding(item, paint)),
  ]
}

function linesOfFinding({ check, ok, detail, cure }: Finding, paint: Paint): string[] {
  const name = ok ? check : paint('red', check)
  return [`      ${name}: ${detail}`, ...(cure ? [`        ${cure}`] : [])]
}

function summaryOf(findings: readonly Finding[], paint: Paint): string {
  const faults = findings.filter(({ ok }) => !ok).length
  if (faults === 0) return paint('green', `All ${counted(findings.length, 'check')} passed.`)
  return paint('red', `${faults} of ${counted(findings.length, 'check')} failed.`)
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
