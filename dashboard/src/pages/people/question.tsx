import { useParams } from '@tanstack/react-router'
import { storeRequest } from '../../api/action.ts'
import { type Question, useRead } from '../../api/store.ts'
import { Action } from '../../kit/action.tsx'
import { useMayWrite } from '../../kit/form.tsx'
import { formatNumber } from '../../kit/format.ts'
import { Link } from '../../kit/link.tsx'
import { MessageForm } from '../../kit/message-form.tsx'
import { useOpenAfter } from '../../kit/open-after.ts'
import { Page as Frame } from '../../kit/page.tsx'
import { Facts, Raw, Section, Stamp, Time } from '../../kit/show.tsx'
import { Empty, Loaded, NotAllowed } from '../../kit/states.tsx'
import { fill } from '../../text/catalogue.ts'
import { common } from '../../text/common.ts'
import { feedback } from '../../text/feedback.ts'
import { OrdersOfEmail } from './orders-of-email.tsx'

export function Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const questionId = Number(id)
  const read = useRead(
    ['questions', questionId],
    async ({ api }) => (await api.questions.get(questionId)).question,
  )
  return (
    <Loaded read={read}>
      {(question) => (
        <Frame
          title={fill(feedback.questionTitle, { id: question.id })}
          parent={{ to: '/questions', label: feedback.questions }}
          lead={question.product.name}
          actions={<Actions question={question} />}
        >
          <div className="split">
            <div>
              <Section title={feedback.question} actions={<Stamp state={question.status} />}>
                <blockquote>{question.body}</blockquote>
              </Section>
              <Answers question={question} />
            </div>
            <div>
              <Section title={common.details}>
                <Facts
                  rows={[
                    [
                      feedback.product,
                      <Link key="product" to={`/products/${question.product.id}`}>
                        {question.product.name}
                      </Link>,
                    ],
                    [feedback.customer, question.customer_name],
                    [common.email, question.customer_email],
                    [common.created, <Time key="created" at={question.created_at} />],
                  ]}
                />
              </Section>
              <OrdersOfEmail email={question.customer_email} />
              <Raw record={question} />
            </div>
          </div>
        </Frame>
      )}
    </Loaded>
  )
}

function Answers({ question }: { question: Question }) {
  const isAllowed = useMayWrite('questions')
  const { id, answers, status } = question
  return (
    <Section title={feedback.answers}>
      {answers.length === 0 && <Empty>{feedback.noAnswers}</Empty>}
      <ol className="thread">
        {answers.map((answer) => (
          <li key={answer.id} className="message seller">
            <p className="message-head">
              <Time at={answer.created_at} />
            </p>
            <p className="message-text">{answer.body}</p>
          </li>
        ))}
      </ol>
      {isAllowed && (
        <MessageForm
          key={id}
          record={`question-${id}`}
          label={feedback.answerText}
          help={status === 'hidden' ? feedback.answerHidden : feedback.answerPublishes}
          submit={feedback.answer}
          request={(body) => storeRequest('questions', 'answer', id, { body })}
        />
      )}
    </Section>
  )
}

function Actions({ question: { id, status, answers } }: { question: Question }) {
  const isAllowed = useMayWrite('questions')
  const openAfter = useOpenAfter()
  if (!isAllowed) return <NotAllowed area="questions" />
  return (
    <>
      {status === 'hidden' ? (
        <Action
          label={feedback.show}
          submit={feedback.show}
          request={() =>
            storeRequest('questions', 'update', id, {
              status: answers.length > 0 ? 'answered' : 'pending',
            })
          }
        />
      ) : (
        <Action
          label={feedback.hide}
          lead={<p>{feedback.hideLead}</p>}
          submit={feedback.hide}
          request={() => storeRequest('questions', 'update', id, { status: 'hidden' })}
        />
      )}
      <Action
        label={feedback.deleteQuestion}
        isDanger
        lead={<p>{fill(feedback.deleteLead, { n: formatNumber(answers.length) })}</p>}
        submit={feedback.deleteQuestion}
        request={() => openAfter(storeRequest('questions', 'delete', id), '/questions')}
      />
    </>
  )
}
