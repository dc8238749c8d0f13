import { useEffect, useRef } from 'react'
import { type AccountAuditEvent, useStore } from '../api/store.ts'
import { fill } from '../text/catalogue.ts'
import { conflict as texts } from '../text/conflict.ts'
import { actorText } from './actor.ts'
import type { Field, FormValues } from './fields.tsx'
import { formatAgo, formatMoney } from './format.ts'
import { isSame } from './is-same.ts'
import { useStoreClockLead } from './store-clock.ts'
import { Table } from './table.tsx'
import { yesNo } from './values.ts'

/** A field that both users changed, and the text of both values. */
export interface Conflict {
  name: string
  label: string
  mine: string
  theirs: string
}

interface Versions {
  before: FormValues
  mine: FormValues
  theirs: FormValues
}

/** The fields that both users changed, to different values. */
export function conflictsOf(
  fields: readonly Field[],
  { before, mine, theirs }: Versions,
): Conflict[] {
  const isChanged = (values: FormValues, name: string) => !isSame(values[name], before[name])
  return fields
    .filter(
      ({ name }) =>
        isChanged(mine, name) && isChanged(theirs, name) && !isSame(mine[name], theirs[name]),
    )
    .map((field) => ({
      name: field.name,
      label: field.label,
      mine: fieldText(field, mine[field.name]),
      theirs: fieldText(field, theirs[field.name]),
    }))
}

function fieldText({ type, currency, options = [], text }: Field, value: unknown): string {
  const labelOf = (item: unknown) =>
    options.find((option) => option.value === item)?.label ?? String(item)
  if (value === undefined || value === null || value === '') return '–'
  if (text) return text(value)
  if (typeof value === 'boolean') return yesNo(value)
  if (type === 'money' && currency) return formatMoney(Number(value), currency)
  return Array.isArray(value) ? value.map(labelOf).join(', ') || '–' : labelOf(value)
}

/** Says who changed the record, and when. */
function useAuthorText(event: AccountAuditEvent | undefined): string {
  const { me } = useStore()
  const clockLead_ms = useStoreClockLead()
  if (event === undefined) return texts.bySomebody
  const { created_at, actor } = event
  const when = formatAgo(created_at, Date.now() + clockLead_ms)
  if (actor.type === 'user' && actor.id === String(me.user.id)) return fill(texts.byMe, { when })
  const name = actor.type === 'api_key' && actor.name !== null ? actor.name : actorText(actor)
  return fill(actor.type === 'api_key' ? texts.byKey : texts.byName, { name, when })
}

interface BothVersionsProps {
  conflicts: readonly Conflict[]
  lastChange: AccountAuditEvent | undefined
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/**
 * Shows both versions. The section takes the focus, because it may be out of sight. The button that
 * keeps the user's version submits the form again.
 */
export function BothVersions({
  conflicts,
  lastChange,
  onKeepMine,
  onTakeTheirs,
}: BothVersionsProps) {
  const authorText = useAuthorText(lastChange)
  const section = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new conflicts take the focus again.
  useEffect(() => section.current?.focus(), [conflicts])
  return (
    <div className="failure" ref={section} tabIndex={-1} role="alert">
      <p>{authorText}</p>
      <Table
        label={texts.versions}
        rows={conflicts}
        keyOf={({ label }) => label}
        columns={[
          { label: texts.field, show: ({ label }) => label },
          { label: texts.mine, show: ({ mine }) => mine },
          { label: texts.theirs, show: ({ theirs }) => theirs },
        ]}
      />
      <div className="actions">
        <button type="submit" onClick={onKeepMine}>
          {texts.keepMine}
        </button>
        <button type="button" onClick={onTakeTheirs}>
          {texts.takeTheirs}
        </button>
      </div>
    </div>
  )
}
