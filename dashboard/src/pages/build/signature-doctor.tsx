import { useState } from 'react'
import { ownRequest } from '../../api/action.ts'
import type { OwnAnswer } from '../../api/own.ts'
import type { Field } from '../../kit/fields.tsx'
import { Form } from '../../kit/form.tsx'
import { Section } from '../../kit/show.tsx'
import { webhooks } from '../../text/webhooks.ts'

const FIELDS: readonly Field[] = [
  { name: 'header', label: webhooks.doctorHeader, autoComplete: 'off' },
  { name: 'body', label: webhooks.doctorBody, type: 'textarea' },
  { name: 'secret', label: webhooks.doctorSecret, type: 'password', autoComplete: 'off' },
  { name: 'clock', label: webhooks.doctorClock, type: 'number' },
]

type Explanation = OwnAnswer<'webhooks.explain_delivery'>

/** Explains why a receiver's bytes of a delivery do not match. */
export function SignatureDoctor({ id }: { id: number }) {
  const [explanation, setExplanation] = useState<Explanation>()
  return (
    <Section title={webhooks.doctor}>
      <p>{webhooks.doctorLead}</p>
      <Form
        fields={FIELDS}
        submit={webhooks.examine}
        request={(values) => {
          const given = Object.entries(values).filter(([, value]) => value !== undefined)
          const path = `/events/deliveries/${id}/explain`
          return ownRequest('explanations', 'POST', path, Object.fromEntries(given))
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
