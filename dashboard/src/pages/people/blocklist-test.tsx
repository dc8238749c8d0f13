import { type FormEvent, useId, useState } from 'react'
import { useRead } from '../../api/store.ts'
import { Table } from '../../kit/list.tsx'
import { Section } from '../../kit/show.tsx'
import { Loaded } from '../../kit/states.tsx'
import { blocklist } from '../../text/blocklist.ts'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'

/** Shows whether an order from an address would be refused, and by which entries. */
export function BlocklistTest() {
  const id = useId()
  const [address, setAddress] = useState('')
  const [testedAddress, setTestedAddress] = useState<string>()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTestedAddress(address.trim() || undefined)
  }
  return (
    <Section title={blocklist.test}>
      <form className="filters" onSubmit={submit}>
        <div className="filter">
          <label htmlFor={id}>{blocklist.buyer}</label>
          <input
            id={id}
            value={address}
            autoComplete="off"
            onChange={(event) => setAddress(event.target.value)}
          />
        </div>
        <button type="submit">{blocklist.testIt}</button>
      </form>
      <div role="status">{testedAddress !== undefined && <Result value={testedAddress} />}</div>
    </Section>
  )
}

function Result({ value }: { value: string }) {
  const read = useRead(['blocklist', 'matches', value], async ({ readDashboard }) => {
    const query = value.includes('@') ? { email: value } : { ip: value }
    const answer = await readDashboard<'blocklist.match'>('/blocklist-matches', query)
    return answer.blocklist_entries
  })
  return (
    <Loaded read={read} rows={1}>
      {(entries) =>
        entries.length === 0 ? (
          <p>{fill(blocklist.notRefused, { value })}</p>
        ) : (
          <>
            <p>{fill(blocklist.isRefused, { value })}</p>
            <Table
              label={blocklist.test}
              rows={entries}
              keyOf={(entry) => entry.id}
              columns={[
                { label: blocklist.value, show: (entry) => entry.value },
                { label: common.reason, show: ({ reason }) => reason ?? '–' },
              ]}
            />
          </>
        )
      }
    </Loaded>
  )
}
