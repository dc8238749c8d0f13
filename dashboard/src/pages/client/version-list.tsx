import type { ReactNode } from 'react'
import type { Request } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import { type Column, Table } from '../../kit/list.tsx'
import { Section, Time } from '../../kit/show.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { protectedTexts } from '../../text/protected.ts'
import { type Protected, SwitchState } from './protected-parts.tsx'
import { Comparison } from './version-comparison.tsx'

interface VersionListProps<Item extends { version: number }> {
  /** The record in its current version. */
  current: { version: number }
  /** The newest first. */
  versions: readonly Item[]
  /** Shows the difference between two versions; undefined while their values are not shown. */
  compare: ((from: Item, to: Item) => ReactNode) | undefined
  /** The columns after the number of a version. */
  columns: readonly Column<Item>[]
  /** The text below the list. */
  note?: string
  /** The request that makes a former version the next one; undefined if the user may not. */
  rollBack: ((version: Item) => Request) | undefined
  /** The text of a roll-back to version `{n}`, which creates version `{next}`. */
  rollBackLead?: string
}

/** The versions of a record, the difference between two of them, and the action that rolls back to one. */
export function VersionList<Item extends { version: number }>(props: VersionListProps<Item>) {
  const { current, versions, compare, note, rollBack } = props
  const { rollBackLead = protectedTexts.rollBackLead } = props
  const columns: Column<Item>[] = [
    {
      label: protectedTexts.version,
      show: ({ version }) =>
        version === current.version ? `${version} (${protectedTexts.current})` : version,
    },
    ...props.columns,
  ]
  const rollBackAction = (item: Item): ReactNode => {
    if (!rollBack || item.version === current.version) return false
    const n = item.version
    return (
      <Action
        label={fill(protectedTexts.rollBackTo, { n })}
        lead={<p>{fill(rollBackLead, { n, next: current.version + 1 })}</p>}
        submit={fill(protectedTexts.rollBackTo, { n })}
        request={() => rollBack(item)}
      />
    )
  }
  return (
    <>
      {compare && versions.length > 1 && <Comparison versions={versions} compare={compare} />}
      <Section title={protectedTexts.versions}>
        <Table
          label={protectedTexts.versions}
          rows={versions}
          keyOf={({ version }) => version}
          columns={columns}
          {...(rollBack && { rowActions: rollBackAction })}
        />
        {note !== undefined && <p className="secondary-text">{note}</p>}
      </Section>
    </>
  )
}

interface Saved {
  status: Protected['status']
  created_at: string
}

/** The columns of versions that have their own status. */
export const SAVED_COLUMNS: readonly Column<Saved>[] = [
  { label: common.status, show: ({ status }) => <SwitchState record={{ status }} /> },
  { label: protectedTexts.savedAt, show: ({ created_at }) => <Time at={created_at} /> },
]

interface Author {
  actor_key_id: number | null
  actor_name: string | null
}

/** The name of the user, or the name and the id of the API key. */
export function authorOf({ actor_key_id, actor_name }: Author): string {
  const key =
    actor_key_id === null ? protectedTexts.byTeam : fill(protectedTexts.byKey, { id: actor_key_id })
  if (actor_name === null) return key
  return actor_key_id === null ? actor_name : `${actor_name} (${key})`
}
