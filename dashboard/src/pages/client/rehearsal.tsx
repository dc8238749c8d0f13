import { useEffect, useId, useState } from 'react'
import { BASE } from '../../api/call.ts'
import type { ClientApp } from '../../api/security.ts'
import { useStore } from '../../api/store.ts'
import { useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, State } from '../../kit/show.tsx'
import { Empty, Loaded } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { rehearsal, steps } from '../../text/rehearsal.ts'
import { useAppsRead } from './app-options.ts'
import type { Exchange } from './rehearsal-network.ts'
import { type Played, rehearse, STEPS_COUNT } from './rehearsal-program.ts'

export function Page() {
  const { livemode } = useStore()
  const isAllowed = useMayWrite('client_security')
  return (
    <Frame title={rehearsal.title} lead={rehearsal.lead}>
      {livemode ? (
        <OnlyTest />
      ) : isAllowed ? (
        <Stage />
      ) : (
        <p className="quiet">{common.notAllowed}</p>
      )}
    </Frame>
  )
}

function OnlyTest() {
  const { me, slug } = useStore()
  const test = me.stores.find((side) => side.slug === slug && !side.livemode)
  return (
    <Empty
      action={test && <a href={`${BASE}/dashboard/${test.id}/rehearsal`}>{rehearsal.toTest}</a>}
    >
      {rehearsal.onlyTest}
    </Empty>
  )
}

/** True if the browser can verify Ed25519 signatures; undefined until it is known. */
function useCanVerify(): boolean | undefined {
  const [can, setCan] = useState<boolean>()
  useEffect(() => {
    const verify = async () => {
      await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
    }
    verify().then(
      () => setCan(true),
      () => setCan(false),
    )
  }, [])
  return can
}

function Stage() {
  const can = useCanVerify()
  const read = useAppsRead()
  if (can === false) return <Empty>{rehearsal.noCrypto}</Empty>
  return (
    <Loaded read={read}>
      {(apps) => (apps.length === 0 ? <Empty>{rehearsal.noApp}</Empty> : <Play apps={apps} />)}
    </Loaded>
  )
}

function Play({ apps }: { apps: readonly ClientApp[] }) {
  const store = useStore()
  const id = useId()
  const [appId, setAppId] = useState(apps.find(({ is_default }) => is_default)?.id ?? apps[0]?.id)
  const [played, setPlayed] = useState<readonly Played[]>([])
  const [isPlaying, setPlaying] = useState(false)
  const app = apps.find((item) => item.id === appId)
  const play = async () => {
    if (!app) return
    setPlaying(true)
    setPlayed([])
    for await (const step of rehearse(store, app)) setPlayed((before) => [...before, step])
    setPlaying(false)
  }
  return (
    <>
      <div className="sheet rehearsal">
        <p>{rehearsal.makes}</p>
        {apps.length > 1 && (
          <div className="field">
            <label htmlFor={id}>{rehearsal.app}</label>
            <select
              id={id}
              value={appId}
              disabled={isPlaying}
              onChange={({ target }) => setAppId(Number(target.value))}
            >
              {apps.map((item) => (
                <option key={item.id} value={item.id}>
                  {item.name}
                </option>
              ))}
            </select>
          </div>
        )}
        <button
          type="button"
          className="primary"
          aria-disabled={isPlaying}
          onClick={isPlaying ? undefined : play}
        >
          {rehearsal.play}
        </button>
        <p role="status">{summaryOf(played, isPlaying)}</p>
      </div>
      {played.map((step) => (
        <StepSheet key={step.name} of={step} />
      ))}
    </>
  )
}

function summaryOf(played: readonly Played[], isPlaying: boolean): string {
  if (isPlaying) return fill(rehearsal.playing, { n: played.length + 1, of: STEPS_COUNT })
  if (played.length === 0) return ''
  return played.every(({ isExpected }) => isExpected)
    ? fill(rehearsal.passed, { n: played.length })
    : rehearsal.stopped
}

function StepSheet({ of }: { of: Played }) {
  const { name, actor, got, isExpected, mayRun, exchanges } = of
  return (
    <Section
      title={steps[name]}
      actions={
        <State state={isExpected ? 'ok' : 'failed'}>
          {isExpected ? rehearsal.expected : rehearsal.unexpected}
        </State>
      }
    >
      <p>
        <strong>{rehearsal[actor]}.</strong> {steps[`${name}Advice`]}
      </p>
      <Facts
        of={[
          [rehearsal.got, got === '' ? undefined : <code key="got">{got}</code>],
          [rehearsal.mayRun, mayRun === undefined ? undefined : mayRun ? common.yes : common.no],
        ]}
      />
      {exchanges.length === 0 ? (
        <p className="quiet">{rehearsal.noExchange}</p>
      ) : (
        <details className="raw">
          <summary>
            {rehearsal.exchanges} ({exchanges.length})
          </summary>
          {exchanges.map((exchange, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <ExchangeText key={index} of={exchange} />
          ))}
        </details>
      )}
    </Section>
  )
}

function ExchangeText({ of }: { of: Exchange }) {
  const { method, path, headers, body, status, signature, answer } = of
  const head = headers.map(([name, value]) => `${name}: ${value}`)
  const asked = [`${method} ${path}`, ...head, ...(body === undefined ? [] : ['', body])].join('\n')
  return (
    <>
      <h3>{rehearsal.request}</h3>
      <Copy block text={asked} label={rehearsal.request} />
      <h3>
        {rehearsal.answer} {status}
      </h3>
      {answer === undefined ? (
        <p className="quiet">{rehearsal.noAnswer}</p>
      ) : (
        <Copy block text={answer} label={rehearsal.answer} />
      )}
      {signature && (
        <p>
          {rehearsal.signature}: <code className="wrap">{signature}</code>
        </p>
      )}
    </>
  )
}
