import { type ReactNode, useId } from 'react'
import { useSearch } from '../../kit/list.tsx'
import { Section } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { protectedTexts } from '../../text/protected.ts'
import { diffLines } from './line-diff.ts'

interface Versioned {
  version: number
}

interface ComparisonProps<Version extends Versioned> {
  /** The newest first. */
  versions: readonly Version[]
  /** Shows the difference between two versions. */
  compare: (from: Version, to: Version) => ReactNode
}

/** Compares two versions, by default the current and the previous one. The address names both. */
export function Comparison<Version extends Versioned>({
  versions,
  compare,
}: ComparisonProps<Version>) {
  const versionOf = (number: number) => versions.find((item) => item.version === number)
  const [search, setSearch] = useSearch()
  const newest = versions[0]?.version ?? 1
  const versionNumber = (text: string | undefined, fallback: number) => {
    const number = Number(text)
    return versions.some(({ version }) => version === number) ? number : fallback
  }
  const from = versionNumber(search.from, versions[1]?.version ?? newest)
  const to = versionNumber(search.to, newest)
  const [before, after] = [versionOf(from), versionOf(to)]
  const choose = (next: { from?: string; to?: string }) =>
    setSearch({ ...search, from: String(from), to: String(to), ...next })
  return (
    <Section title={fill(protectedTexts.difference, { from, to })}>
      <div className="filters">
        <VersionSelect
          label={protectedTexts.compareFrom}
          value={from}
          versions={versions}
          onChange={(text) => choose({ from: text })}
        />
        <VersionSelect
          label={protectedTexts.compareTo}
          value={to}
          versions={versions}
          onChange={(text) => choose({ to: text })}
        />
      </div>
      {before && after && compare(before, after)}
    </Section>
  )
}

interface VersionSelectProps {
  label: string
  value: number
  versions: readonly Versioned[]
  onChange: (text: string) => void
}

function VersionSelect({ label, value, versions, onChange }: VersionSelectProps) {
  const id = useId()
  return (
    <div className="filter">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {versions.map(({ version }) => (
          <option key={version} value={version}>
            {version}
          </option>
        ))}
      </select>
    </div>
  )
}

const SIGNS = { removed: '−', added: '+', same: ' ' } as const

/**
 * Shows the lines of both versions. Lines that differ have a sign and a visually hidden word in
 * front, so that colour is not needed.
 */
export function Difference({ from, to }: { from: string; to: string }) {
  if (from === to) return <p className="secondary-text">{protectedTexts.noDifference}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard.
    <div className="diff" tabIndex={0}>
      {diffLines(from, to).map(({ key, kind, text }) => (
        <div key={key} className={kind}>
          <span aria-hidden="true">{SIGNS[kind]}</span>
          {kind !== 'same' && <span className="visually-hidden">{protectedTexts[kind]}: </span>}
          <code>{text}</code>
        </div>
      ))}
    </div>
  )
}
