import type { Paint } from '../../../command.ts'
import { AREAS, areaOf, showsDetail } from './areas.rules.ts'
import type { Finding } from './schema.ts'

type PrintedFinding = Omit<Finding, 'finished'>

/** Prints a line for each area, followed by its failed checks. Passed checks are only counted. */
export function printDiagnosis(findings: readonly PrintedFinding[], paint: Paint): string {
  const areas = new Set([...Object.keys(AREAS), ...findings.map(({ check }) => areaOf(check))])
  const lines = [...areas].flatMap((area) => {
    const areaFindings = findings.filter(({ check }) => areaOf(check) === area)
    return areaFindings.length === 0 ? [] : linesOf(area, areaFindings, paint)
  })
  return [...lines, '', summaryOf(findings, paint)].join('\n')
}

function linesOf(area: string, findings: readonly PrintedFinding[], paint: Paint): string[] {
  const isOk = findings.every(({ ok }) => ok)
  const state = isOk ? paint('green', 'ok   ') : paint('red', 'FAULT')
  const count = paint('dim', countText(findings.length, 'check'))
  const shownFindings = findings.filter(({ ok, check }) => !ok || showsDetail(check))
  return [
    `${state} ${paint('bold', area)}  ${count}`,
    ...shownFindings.flatMap((item) => linesOfFinding(item, paint)),
  ]
}

function linesOfFinding({ check, ok, detail, cure }: PrintedFinding, paint: Paint): string[] {
  const name = ok ? check : paint('red', check)
  return [`      ${name}: ${detail}`, ...(cure ? [`        ${cure}`] : [])]
}

function summaryOf(findings: readonly PrintedFinding[], paint: Paint): string {
  const faults = findings.filter(({ ok }) => !ok).length
  if (faults === 0) return paint('green', `All ${countText(findings.length, 'check')} passed.`)
  return paint('red', `${faults} of ${countText(findings.length, 'check')} failed.`)
}

const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
