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
  const state = stateOf(findings, paint)
  const count = paint('dim', countText(findings.length, 'check'))
  const shownFindings = findings.filter(
    (item) => !item.ok || isWarning(item) || showsDetail(item.check),
  )
  return [
    `${state} ${paint('bold', area)}  ${count}`,
    ...shownFindings.flatMap((item) => linesOfFinding(item, paint)),
  ]
}

/** A passed check with a remedy is a warning: it does not change the exit code. */
const isWarning = ({ ok, cure }: PrintedFinding): boolean => ok && cure !== null

function stateOf(findings: readonly PrintedFinding[], paint: Paint): string {
  if (findings.some(({ ok }) => !ok)) return paint('red', 'FAULT')
  return findings.some(isWarning) ? paint('yellow', 'WARN ') : paint('green', 'ok   ')
}

function linesOfFinding(finding: PrintedFinding, paint: Paint): string[] {
  const { check, ok, detail, cure } = finding
  const warned = isWarning(finding) ? paint('yellow', check) : check
  const name = ok ? warned : paint('red', check)
  return [`      ${name}: ${detail}`, ...(cure ? [`        ${cure}`] : [])]
}

function summaryOf(findings: readonly PrintedFinding[], paint: Paint): string {
  const faults = findings.filter(({ ok }) => !ok).length
  const warnings = findings.filter(isWarning).length
  if (faults === 0 && warnings > 0)
    return paint(
      'yellow',
      `All ${countText(findings.length, 'check')} passed, with ${countText(warnings, 'warning')}.`,
    )
  if (faults === 0) return paint('green', `All ${countText(findings.length, 'check')} passed.`)
  return paint('red', `${faults} of ${countText(findings.length, 'check')} failed.`)
}

const countText = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
