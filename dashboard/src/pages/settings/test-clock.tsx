import { useId, useState } from 'react'
import { storeRequest } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import { formatDateTime, formatDuration } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section } from '../../kit/show.tsx'
import { setStoreTime, useStoreAhead } from '../../kit/store-clock.ts'
import { fill } from '../../text/catalogue.ts'
import { navigation } from '../../text/navigation.ts'
import { shell } from '../../text/shell.ts'
import { storeSettings } from '../../text/store-settings.ts'

const HOUR_MS = 3_600_000
/** The stops of the slider in hours: from an hour to a year. */
const HOURS = [1, 6, 12, 24, 72, 168, 336, 720, 1_440, 2_160, 4_320, 8_760] as const
const FIRST_STOP = HOURS.indexOf(24)

/** As the API writes it: `12h` or `3d`. */
const written = (hours: number): string => (hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`)

/** Pages on which the effects of a moved clock are seen. */
const EFFECTS = [
  ['/orders', shell.orders],
  ['/subscriptions', navigation.subscriptions],
  ['/events', navigation.webhookEvents],
] as const

/** Moves the clock of the test side. The slider chooses by how much; the dialog takes other durations too. */
export function TestClock() {
  const id = useId()
  const ahead_ms = useStoreAhead()
  const [stop, setStop] = useState(FIRST_STOP)
  const [movedTo, setMovedTo] = useState<string>()
  const hours = HOURS[stop] ?? 24
  const from_ms = Date.now() + ahead_ms
  const target = fill(storeSettings.target, {
    by: formatDuration(hours * HOUR_MS),
    at: formatDateTime(new Date(from_ms + hours * HOUR_MS).toISOString()),
  })
  return (
    <Section title={storeSettings.clock}>
      <p>{storeSettings.clockLead}</p>
      <p>{fill(storeSettings.now, { at: formatDateTime(new Date(from_ms).toISOString()) })}</p>
      <div className="slider">
        <label htmlFor={id}>{storeSettings.by}</label>
        <input
          id={id}
          type="range"
          min={0}
          max={HOURS.length - 1}
          value={stop}
          aria-valuetext={target}
          onChange={({ target: { value } }) => setStop(Number(value))}
        />
        <output htmlFor={id}>{target}</output>
      </div>
      <Action
        // The dialog begins with the duration that the slider shows.
        key={stop}
        label={storeSettings.moveClock}
        fields={[
          {
            name: 'advance',
            label: storeSettings.by,
            required: true,
            value: written(hours),
            help: storeSettings.byHelp,
          },
        ]}
        submit={({ advance }) => fill(storeSettings.advance, { by: String(advance ?? '') })}
        onDone={(answer) => {
          const { now } = answer as { now: string }
          setStoreTime(now)
          setMovedTo(now)
        }}
        request={({ advance }) =>
          storeRequest('account', 'advanceTestClock', { advance: String(advance ?? '') })
        }
      />
      <div role="status">
        {movedTo !== undefined && (
          <p>
            {fill(storeSettings.moved, { at: formatDateTime(movedTo) })}{' '}
            {EFFECTS.map(([to, name], at) => (
              <span key={to}>
                {at > 0 && ' · '}
                <Link to={to}>{name}</Link>
              </span>
            ))}
          </p>
        )}
      </div>
    </Section>
  )
}
