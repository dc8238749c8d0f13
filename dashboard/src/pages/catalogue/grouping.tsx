import { useParams } from '@tanstack/react-router'
import { useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { useLeaving } from '../../kit/leave.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Raw, Section, State, Time } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { groupings } from '../../text/groupings.ts'
import { bodyOf, fieldsOf, type Grouping, KINDS, type Kind } from './grouping-kinds.ts'
import { CategoryProducts, GroupProducts } from './grouping-products.tsx'

/** A category or a group with its products. */
export function GroupingRecord({ kind }: { kind: Kind }) {
  const params = useParams({ strict: false }) as { id?: string }
  const id = Number(params.id)
  const isAllowed = useMayWrite(kind)
  const read = useRead([kind, id], (store) => KINDS[kind].read(store, id))
  return (
    <Loaded read={read}>
      {(grouping) => (
        <Frame
          title={grouping.name}
          parent={{ to: `/${kind}`, label: KINDS[kind].title }}
          actions={
            isAllowed ? (
              <Actions kind={kind} of={grouping} />
            ) : (
              <span className="quiet">{common.notAllowed}</span>
            )
          }
        >
          <div className="split">
            {'product_ids' in grouping ? (
              <GroupProducts of={grouping} isAllowed={isAllowed} />
            ) : (
              <CategoryProducts of={grouping} isAllowed={isAllowed} />
            )}
            <div>
              <Details of={grouping} />
              <Raw record={grouping} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

const Details = ({ of }: { of: Grouping }) => (
  <Section title={common.details}>
    <Facts
      of={[
        ['Slug', of.slug],
        [
          groupings.visibility,
          <State key="visibility" state={of.visibility === 'public' ? 'on' : 'closed'}>
            {groupings[of.visibility]}
          </State>,
        ],
        [groupings.icon, 'icon' in of ? of.icon : undefined],
        [groupings.description, of.description],
        [groupings.image, of.image_url],
        [common.created, <Time key="created" at={of.created_at} />],
        [common.updated, <Time key="updated" at={of.updated_at} />],
      ]}
    />
  </Section>
)

function Actions({ kind, of }: { kind: Kind; of: Grouping }) {
  const leaving = useLeaving()
  const { update, erase, remove } = KINDS[kind]
  return (
    <>
      <Action
        label={common.edit}
        fields={fieldsOf(kind, of)}
        submit={common.save}
        request={(values) => update(of.id, bodyOf(kind, values))}
      />
      <Action
        label={common.delete}
        title={remove}
        isDanger
        lead={
          <p>{fill(groupings.deleteLead, { name: of.name, n: formatNumber(of.product_count) })}</p>
        }
        submit={remove}
        request={() => leaving(erase(of.id), `/${kind}`)}
      />
    </>
  )
}
