/** A question that a request needs answered before it can be repeated. */
export type Prompt = 'sign-in' | 'step-up'

interface Open {
  prompt: Prompt
  /** Resolves to true if the request may be repeated. */
  answered: Promise<boolean>
  answer(done: boolean): void
}

let open: Open | undefined
const listeners = new Set<() => void>()

export const subscribePrompt = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export const currentPrompt = (): Prompt | undefined => open?.prompt

export function answerPrompt(done: boolean) {
  const answered = open
  open = undefined
  for (const listener of listeners) listener()
  answered?.answer(done)
}

/** Requests that are refused at the same time share one question. */
function ask(prompt: Prompt): Promise<boolean> {
  if (open?.prompt === prompt) return open.answered
  const { promise, resolve } = Promise.withResolvers<boolean>()
  open = { prompt, answered: promise, answer: resolve }
  for (const listener of listeners) listener()
  return promise
}

export const askSignIn = () => ask('sign-in')
export const askStepUp = () => ask('step-up')
