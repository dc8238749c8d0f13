import { useId, useState } from 'react'
import { shellWord, storeRequest } from '../../api/action.ts'
import { Action } from '../../kit/action.tsx'
import { formatDateTime, formatDuration } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { Section } from '../../kit/show.tsx'
import { setStoreTime, useStoreClockLead } from '../../kit/store-clock.ts'
import { fill } from '../../text/catalogue.ts'
import { navigation } from '../../text/navigation.ts'
import { shell } from '../../text/shell.ts'
import { storeSettings } from '../../text/store-settings.ts'

const HOUR_MS = 3_600_000
/** The steps of the slider, from one hour to one year. */
const STEP_HOURS = [1, 6, 12, 24, 72, 168, 336, 720, 1_440, 2_160, 4_320, 8_760] as const
const INITIAL_STEP = STEP_HOURS.indexOf(24)

/** The duration as the API writes it: `12h` or `3d`. */
const durationText = (hours: number): string => (hours % 24 === 0 ? `${hours / 24}d` : `${hours}h`)

const AFFECTED_PAGES = [
  ['/orders', shell.orders],
  ['/subscriptions', navigation.subscriptions],
  ['/events', navigation.webhookEvents],
] as const

/**
 * Moves the clock of the test side forward. The slider chooses the duration; the dialog accepts
 * other durations too.
 */
export function TestClock() {
  const id = useId()
  const clockLead_ms = useStoreClockLead()
  const [step, setStep] = useState(INITIAL_STEP)
  const [movedTo, setMovedTo] = useState<string>()
  const hours = STEP_HOURS[step] ?? 24
  const from_ms = Date.now() + clockLead_ms
  const targetText = fill(storeSettings.target, {
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
          max={STEP_HOURS.length - 1}
          value={step}
          aria-valuetext={targetText}
          onChange={({ target: { value } }) => setStep(Number(value))}
        />
        <output htmlFor={id}>{targetText}</output>
      </div>
      <Action
        // The dialog starts with the duration of the slider.
        key={step}
        label={storeSettings.moveClock}
        fields={[
          {
            name: 'advance',
            label: storeSettings.by,
            required: true,
            value: durationText(hours),
            help: storeSettings.byHelp,
          },
        ]}
        submit={({ advance }) => submitText(String(advance ?? ''))}
        onDone={(answer) => {
          const { now } = answer as { now: string }
          setStoreTime(now)
          setMovedTo(now)
        }}
        request={({ advance }) => ({
          ...storeRequest('account', 'advanceTestClock', { advance: String(advance ?? '') }),
          command: `clock advance ${shellWord(String(advance ?? ''))}`,
        })}
      />
      <div role="status">
        {movedTo !== undefined && (
          <p>
            {fill(storeSettings.moved, { at: formatDateTime(movedTo) })}{' '}
            {AFFECTED_PAGES.map(([to, name], index) => (
              <span key={to}>
                {index > 0 && ' · '}
                <Link to={to}>{name}</Link>
              </span>
            ))}
          </p>
        )}
      </div>
    </Section>
  )
}

/** A duration as the API takes it. The button does not repeat anything else that is typed. */
const DURATION = /^\d{1,6}[smhd]$/

const submitText = (advance: string): string =>
  DURATION.test(advance) ? fill(storeSettings.advance, { by: advance }) : storeSettings.moveClock
