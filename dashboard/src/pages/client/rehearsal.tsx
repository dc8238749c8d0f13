import { useEffect, useId, useState } from 'react'
import { BASE } from '../../api/call.ts'
import type { ClientApp } from '../../api/security.ts'
import { useStore } from '../../api/store.ts'
import { ApiCall, useMayWrite } from '../../kit/form.tsx'
import { Page as Frame } from '../../kit/page.tsx'
import { Copy, Facts, Section, State } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { yesNo } from '../../kit/values.ts'
import { fill } from '../../text/catalogue.ts'
import { rehearsal, steps } from '../../text/rehearsal.ts'
import { useAppsRead } from './app-options.ts'
import type { Exchange } from './rehearsal-network.ts'
import { createKeyRequest, rehearse, STEPS_COUNT, type StepResult } from './rehearsal-program.ts'

export const Page = () => (
  <Frame title={rehearsal.title} lead={rehearsal.lead}>
    <Content />
  </Frame>
)

function Content() {
  const { livemode } = useStore()
  const isAllowed = useMayWrite('client_security')
  if (livemode) return <TestSideOnly />
  return isAllowed ? <RehearsalOfApps /> : <NotAllowed area="client_security" />
}

/** The notice on the live side, with a link to the test side. */
function TestSideOnly() {
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

/** True if the browser can verify Ed25519 signatures; undefined until the check has finished. */
function useCanVerify(): boolean | undefined {
  const [canVerify, setCanVerify] = useState<boolean>()
  useEffect(() => {
    const generateKey = async () => {
      await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])
    }
    generateKey().then(
      () => setCanVerify(true),
      () => setCanVerify(false),
    )
  }, [])
  return canVerify
}

function RehearsalOfApps() {
  const canVerify = useCanVerify()
  const read = useAppsRead()
  if (canVerify === false) return <Empty>{rehearsal.noCrypto}</Empty>
  return (
    <Loaded read={read}>
      {(apps) => (apps.length === 0 ? <Empty>{rehearsal.noApp}</Empty> : <Rehearse apps={apps} />)}
    </Loaded>
  )
}

function Rehearse({ apps }: { apps: readonly ClientApp[] }) {
  const store = useStore()
  const id = useId()
  const [appId, setAppId] = useState(apps.find(({ is_default }) => is_default)?.id ?? apps[0]?.id)
  const [results, setResults] = useState<readonly StepResult[]>([])
  const [isRunning, setRunning] = useState(false)
  const app = apps.find((item) => item.id === appId)
  const run = async () => {
    if (!app) return
    setRunning(true)
    setResults([])
    for await (const step of rehearse(store, app)) setResults((before) => [...before, step])
    setRunning(false)
  }
  return (
    <>
      <div className="card rehearsal">
        <p>{rehearsal.recordsLead}</p>
        {apps.length > 1 && (
          <div className="field">
            <label htmlFor={id}>{rehearsal.app}</label>
            <select
              id={id}
              value={appId}
              disabled={isRunning}
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
          aria-disabled={isRunning}
          onClick={isRunning ? undefined : run}
        >
          {rehearsal.run}
        </button>
        <p role="status">{summaryOf(results, isRunning)}</p>
        {app && <ApiCall make={() => createKeyRequest(app.id)} />}
      </div>
      {results.map((step) => (
        <StepSheet key={step.name} result={step} />
      ))}
    </>
  )
}

function summaryOf(results: readonly StepResult[], isRunning: boolean): string {
  if (isRunning) return fill(rehearsal.running, { n: results.length + 1, of: STEPS_COUNT })
  if (results.length === 0) return ''
  return results.every(({ isExpected }) => isExpected)
    ? fill(rehearsal.passed, { n: results.length })
    : rehearsal.stopped
}

function StepSheet({ result }: { result: StepResult }) {
  const { name, actor, answer, isExpected, mayRun, exchanges } = result
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
        rows={[
          [rehearsal.result, answer === '' ? undefined : <code key="answer">{answer}</code>],
          [rehearsal.mayRun, mayRun === undefined ? undefined : yesNo(mayRun)],
        ]}
      />
      {exchanges.length === 0 ? (
        <p className="secondary-text">{rehearsal.noExchange}</p>
      ) : (
        <details className="raw">
          <summary>
            {rehearsal.exchanges} ({exchanges.length})
          </summary>
          {exchanges.map((exchange, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
            <ExchangeText key={index} exchange={exchange} />
          ))}
        </details>
      )}
    </Section>
  )
}

function ExchangeText({ exchange }: { exchange: Exchange }) {
  const { method, path, headers, body, status, signature, answer } = exchange
  const headerLines = headers.map(([name, value]) => `${name}: ${value}`)
  const requestText = [
    `${method} ${path}`,
    ...headerLines,
    ...(body === undefined ? [] : ['', body]),
  ].join('\n')
  return (
    <>
      <h3>{rehearsal.request}</h3>
      <Copy block text={requestText} label={rehearsal.request} />
      <h3>
        {rehearsal.answer} {status}
      </h3>
      {answer === undefined ? (
        <p className="secondary-text">{rehearsal.noAnswer}</p>
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
