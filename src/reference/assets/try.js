// Sends a call to this installation with a key that the reader enters. The key is stored only in a
// variable, so it is lost when the page is left.

/** @typedef {{ id: string, method: string, path: string, ids: Record<string, string | number>, key: 'sk_test_' | 'sec_test_', query: string[], body?: unknown }} Call */

/** The last entered keys by their prefix, and the last entered store id. */
const lastInputs = { sk_test_: '', sec_test_: '', store: '' }

export function addTryButtons() {
  for (const button of document.querySelectorAll('button.try')) {
    if (!(button instanceof HTMLButtonElement)) continue
    button.hidden = false
    const call = JSON.parse(button.dataset.call ?? '{}')
    button.addEventListener('click', () => openDialog(call))
  }
}

/** @param {Call} call */
function openDialog(call) {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('aria-labelledby', 'try-title')
  const title = element('h2', `Try ${call.id}`)
  title.id = 'try-title'
  const note = element('p', 'The key stays in the memory of this page. Only test keys are sent.')
  note.className = 'note'
  const result = element('p', '')
  result.className = 'result'
  result.setAttribute('role', 'status')
  const output = element('pre', '')
  output.tabIndex = 0
  output.hidden = true
  output.setAttribute('role', 'region')
  output.setAttribute('aria-label', 'Answer')
  const form = document.createElement('form')
  const inputs = inputsOf(form, call)
  form.append(actions(dialog))
  dialog.append(title, note, form, result, output)
  document.body.append(dialog)
  dialog.addEventListener('close', () => dialog.remove())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    output.hidden = true
    result.textContent = 'Sending…'
    const answer = await answerTo(call, inputs)
    result.textContent = answer.result
    output.textContent = answer.text
    output.hidden = answer.text === ''
  })
  dialog.showModal()
  inputs.key.focus()
}

/** @param {HTMLElement} form @param {Call} call */
function inputsOf(form, call) {
  const key = field(form, 'Test key', lastInputs[call.key])
  key.placeholder = `${call.key}…`
  key.required = true
  const store =
    call.key === 'sk_test_' ? field(form, 'Store id of the test side', lastInputs.store) : undefined
  if (store) store.required = true
  const ids = Object.entries(call.ids).map(([name, value]) => ({
    name,
    input: field(form, name, String(value)),
  }))
  const names = call.query.join(', ')
  const query = names ? field(form, `Query (${names})`, '') : undefined
  const body = call.body === undefined ? undefined : area(form, 'Body', call.body)
  return { key, store, ids, query, body }
}

/** @param {HTMLDialogElement} dialog */
function actions(dialog) {
  const send = element('button', 'Send to the test side')
  send.className = 'try'
  const close = element('button', 'Close')
  close.setAttribute('type', 'button')
  close.addEventListener('click', () => dialog.close())
  const row = element('div', '')
  row.className = 'act'
  row.append(send, close)
  return row
}

/** @param {Call} call @param {ReturnType<typeof inputsOf>} inputs */
async function answerTo(call, { key, store, ids, query, body }) {
  const keyText = key.value.trim()
  if (!keyText.startsWith(call.key)) {
    key.focus()
    const result = `Use a test key, which begins with ${call.key}. A live key would change real records.`
    return { result, text: '' }
  }
  lastInputs[call.key] = keyText
  if (store) lastInputs.store = store.value.trim()
  const path = ids.reduce(
    (text, { name, input }) => text.replace(`{${name}}`, encodeURIComponent(input.value.trim())),
    call.path,
  )
  return send({
    url: urlOf(path, query?.value.trim()),
    method: call.method,
    headers: {
      ...(store
        ? { 'x-api-key': keyText, 'x-store-hash': lastInputs.store }
        : { authorization: `Bearer ${keyText}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body?.value,
  })
}

/** @param {string} path @param {string | undefined} query */
const urlOf = (path, query) =>
  (document.body.dataset.base ?? '') + path + (query ? `?${query.replace(/^\?/, '')}` : '')

/** @param {{ url: string, method: string, headers: Record<string, string>, body: string | undefined }} call */
async function send({ url, ...options }) {
  const started_ms = performance.now()
  try {
    const response = await fetch(url, { ...options, credentials: 'omit' })
    const text = await response.text()
    const duration_ms = Math.round(performance.now() - started_ms)
    const result = `${response.status} ${response.statusText} in ${duration_ms} ms`
    return { result, text: pretty(text) }
  } catch {
    return { result: 'No answer: the connection failed. Try again.', text: '' }
  }
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** @param {HTMLElement} form @param {string} name @param {string} value */
function field(form, name, value) {
  const input = document.createElement('input')
  input.value = value
  return labelled(form, name, input)
}

/** @param {HTMLElement} form @param {string} name @param {unknown} value */
function area(form, name, value) {
  const input = document.createElement('textarea')
  input.value = JSON.stringify(value, null, 2)
  input.rows = Math.min(14, input.value.split('\n').length + 1)
  return labelled(form, name, input)
}

/** @template {HTMLInputElement | HTMLTextAreaElement} T @param {HTMLElement} form @param {string} name @param {T} input @returns {T} */
function labelled(form, name, input) {
  const label = element('label', name)
  input.autocomplete = 'off'
  input.spellcheck = false
  label.append(input)
  form.append(label)
  return input
}

/** @param {string} tag @param {string} text */
function element(tag, text) {
  const newElement = document.createElement(tag)
  newElement.textContent = text
  return newElement
}
