import type { Question } from '../../api/store.ts'
import { humanize } from '../../kit/format.ts'
import type { Column } from '../../kit/list.tsx'
import { State, Time } from '../../kit/show.tsx'
import { common } from '../../text/common.ts'
import { feedback } from '../../text/feedback.ts'

/** The columns of questions, wherever they are listed. */
export const QUESTION_COLUMNS: readonly Column<Question>[] = [
  { label: feedback.question, show: ({ body }) => body, text: ({ body }) => body },
  {
    label: feedback.customer,
    show: ({ customer_name, customer_email }) => customer_name ?? customer_email,
    text: ({ customer_email }) => customer_email,
  },
  {
    label: common.status,
    show: ({ status }) => <State state={status} />,
    text: ({ status }) => humanize(status),
  },
  {
    label: common.created,
    isRightAligned: true,
    show: ({ created_at }) => <Time at={created_at} ago />,
    text: ({ created_at }) => created_at,
  },
]
