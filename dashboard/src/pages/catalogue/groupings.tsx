import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { firstStep } from '../../kit/first-step.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { EmptyList, Table } from '../../kit/list.tsx'
import { NEW_HASH } from '../../kit/open-by-address.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { MoveButtons, useReorder } from '../../kit/reorder.tsx'
import { State } from '../../kit/show.tsx'
import { Loaded, NotAllowed } from '../../kit/states.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { bodyOf, fieldsOf, type Grouping, groupingOf, KINDS, type Kind } from './grouping-kinds.ts'

/** The list of all categories, or of all groups, in the sequence of the storefront. */
export function Groupings({ kind }: { kind: Kind }) {
  const { lead, readAll } = KINDS[kind]
  const isAllowed = useMayWrite(kind)
  const read = useRead([kind], readAll)
  return (
    <Frame
      title={groupings.title}
      lead={lead}
      actions={isAllowed ? <NewGrouping kind={kind} /> : <NotAllowed area={kind} />}
    >
      <Tabs
        label={groupings.title}
        tabs={[
          { to: '/categories', label: groupings.categories },
          { to: '/groups', label: groupings.groups },
        ]}
      />
      <Loaded read={read}>
        {(all) =>
          all.length === 0 ? (
            <EmptyList
              firstStep={firstStep(
                KINDS[kind].createRequest({ name: groupings.sampleName }),
                isAllowed ? { to: `/${kind}#${NEW_HASH}`, label: KINDS[kind].addLabel } : undefined,
              )}
            >
              {KINDS[kind].empty}
            </EmptyList>
          ) : (
            <GroupingTable kind={kind} rows={all} isAllowed={isAllowed} />
          )
        }
      </Loaded>
    </Frame>
  )
}

function GroupingTable({
  kind,
  rows,
  isAllowed,
}: {
  kind: Kind
  rows: readonly Grouping[]
  isAllowed: boolean
}) {
  const reorder = useReorder({ ids: rows.map(({ id }) => id), request: KINDS[kind].reorderRequest })
  return (
    <>
      {isAllowed && reorder.status}
      {isAllowed && rows.length > 1 && <p className="secondary-text">{groupings.orderLead}</p>}
      <Table
        label={KINDS[kind].title}
        rows={rows}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => `/${kind}/${id}`}
        columns={[
          { label: common.name, show: ({ name }) => name },
          { label: 'Slug', show: ({ slug }) => slug },
          {
            label: groupings.visibility,
            show: ({ visibility }) => (
              <State state={visibility === 'public' ? 'on' : 'closed'}>
                {groupings[visibility]}
              </State>
            ),
          },
          {
            label: groupings.products,
            isRightAligned: true,
            show: ({ product_count }) => formatNumber(product_count),
          },
        ]}
        {...(isAllowed && {
          rowActions: ({ id, name }: Grouping) => (
            <MoveButtons id={id} name={name} reorder={reorder} />
          ),
        })}
      />
    </>
  )
}

function NewGrouping({ kind }: { kind: Kind }) {
  const { addLabel, createRequest } = KINDS[kind]
  return (
    <Action
      label={addLabel}
      isPrimary
      fields={fieldsOf(kind)}
      submit={addLabel}
      request={(values) => createRequest(bodyOf(kind, values))}
      pageOf={(answer) => `/${kind}/${groupingOf(answer).id}`}
    />
  )
}
