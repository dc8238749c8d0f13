import { type ReactNode, useState } from 'react'
import { dashboardRequest, shellWord } from '../../api/action.ts'
import type { DashboardAnswer } from '../../api/dashboard.ts'
import type { Field, FormValues } from '../../kit/fields.tsx'
import { Form } from '../../kit/form.tsx'
import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'

const FIELDS: readonly Field[] = [
  { name: 'header', label: webhooks.doctorHeader, autoComplete: 'off' },
  { name: 'body', label: webhooks.doctorBody, type: 'textarea' },
  { name: 'secret', label: webhooks.doctorSecret, type: 'password', autoComplete: 'off' },
  { name: 'clock', label: webhooks.doctorClock, type: 'number' },
]

/** The command has no option for the body. The secret is not repeated. */
const explainCommand = (deliveryId: number, { header, secret, clock }: FormValues): string =>
  [
    `webhooks explain ${deliveryId}`,
    ...(header === undefined ? [] : [`--header ${shellWord(String(header))}`]),
    ...(secret === undefined ? [] : ['--secret whsec_…']),
    ...(clock === undefined ? [] : [`--clock ${String(clock)}`]),
  ].join(' ')

type Explanation = DashboardAnswer<'webhooks.explain_delivery'>

/** Explains why the receiver's copy of a delivery does not match its signature. */
export function SignatureDoctor({ id, children }: { id: number; children?: ReactNode }) {
  const [explanation, setExplanation] = useState<Explanation>()
  return (
    <Section title={webhooks.doctor}>
      <p>{webhooks.doctorLead}</p>
      {children}
      <Form
        fields={FIELDS}
        submit={webhooks.examine}
        request={(values) => {
          const enteredValues = Object.entries(values).filter(([, value]) => value !== undefined)
          const path = `/events/deliveries/${id}/explain`
          return {
            ...dashboardRequest('explanations', 'POST', path, Object.fromEntries(enteredValues)),
            command: explainCommand(id, values),
          }
        }}
        onDone={(answer) => setExplanation(answer as Explanation)}
      />
      <div role="status">{explanation && <Steps explanation={explanation} />}</div>
    </Section>
  )
}

const Steps = ({ explanation: { findings, steps } }: { explanation: Explanation }) => (
  <>
    <h3>{webhooks.findings}</h3>
    <ul>
      {findings.map((finding) => (
        <li key={finding}>{finding}</li>
      ))}
    </ul>
    <details>
      <summary>{webhooks.howSigned}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: text that scrolls must be reachable by keyboard. */}
      <pre tabIndex={0}>{steps.join('\n')}</pre>
    </details>
  </>
)
