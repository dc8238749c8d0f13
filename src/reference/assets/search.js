// Adds a combobox to the search field, which shows results while the user types. Enter without a
// selection searches on the server.
/** @typedef {{ title: string, kind: string, href: string, about: string }} SearchEntry */

/** The time without a key after which the server is asked. */
const PAUSE_MS = 80

export function addSearch() {
  const form = document.querySelector('form[role="search"]')
  const input = form?.querySelector('input')
  if (!(form instanceof HTMLFormElement) || !input) return
  const results = createResultList(form, input)
  const find = createFinder(form.dataset.index ?? '')
  input.addEventListener('input', () => find(input.value, results.show))
  input.addEventListener('blur', () => setTimeout(results.close, 150))
  input.addEventListener('keydown', (event) => {
    if (results.handleKey(event.key)) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, dialog')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** Returns a function that asks the server, and passes the results on unless the text has changed meanwhile. @param {string} url */
function createFinder(url) {
  /** @type {number | undefined} */
  let timer
  let newest = 0
  /** @param {string} text @param {(entries: SearchEntry[]) => void} show */
  return (text, show) => {
    const number = ++newest
    clearTimeout(timer)
    timer = setTimeout(async () => {
      const entries = text.trim() ? await fetchEntries(url, text).catch(() => []) : []
      if (number === newest) show(entries)
    }, PAUSE_MS)
  }
}

/** @param {string} url @param {string} text @returns {Promise<SearchEntry[]>} */
const fetchEntries = async (url, text) =>
  (await fetch(`${url}?q=${encodeURIComponent(text.slice(0, 100))}`)).json()

/** @param {HTMLFormElement} form @param {HTMLInputElement} input */
function createResultList(form, input) {
  const list = document.createElement('ul')
  /** @type {SearchEntry[]} */
  let results = []
  let selectedIndex = -1
  setAttributes(list, {
    class: 'results',
    id: 'found',
    role: 'listbox',
    'aria-label': 'Search results',
  })
  setAttributes(input, { role: 'combobox', 'aria-controls': 'found', 'aria-autocomplete': 'list' })
  form.append(list)

  /** Selects a result; -1 for none. @param {number} newIndex */
  const select = (newIndex) => {
    selectedIndex = newIndex
    for (const [index, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(index === selectedIndex))
      if (index === selectedIndex) item.scrollIntoView({ block: 'nearest' })
    }
    setAttributes(input, {
      'aria-activedescendant': selectedIndex < 0 ? '' : `found-${selectedIndex}`,
    })
  }
  /** @param {SearchEntry[]} entries */
  const show = (entries) => {
    results = document.activeElement === input ? entries : []
    list.replaceChildren(...results.map(itemOf))
    list.hidden = results.length === 0
    setAttributes(input, { 'aria-expanded': String(!list.hidden) })
    select(-1)
  }
  const close = () => show([])
  /** Returns false without an entry. @param {SearchEntry | undefined} entry */
  const openPage = (entry) => {
    if (entry) location.assign((document.body.dataset.base ?? '') + entry.href)
    close()
    return entry !== undefined
  }
  /** Returns true if the key was handled. @param {string} key */
  const handleKey = (key) => {
    if (list.hidden) return false
    const { length } = results
    if (key === 'ArrowDown') select((selectedIndex + 1) % length)
    else if (key === 'ArrowUp') select((Math.max(selectedIndex, 0) + length - 1) % length)
    else if (key === 'Escape') close()
    else return key === 'Enter' && selectedIndex >= 0 && openPage(results[selectedIndex])
    return true
  }
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null
    if (item) openPage(results[[...list.children].indexOf(item)])
  })
  show([])
  return { show, close, handleKey }
}

/** @param {SearchEntry} entry @param {number} index */
function itemOf({ title, kind, about }, index) {
  const item = document.createElement('li')
  setAttributes(item, { id: `found-${index}`, role: 'option' })
  const mark = span(kind, `method m-${kind.toLowerCase()}`)
  const text = span('', 'found')
  const name = document.createElement('code')
  name.textContent = title
  text.append(name, span(about, ''))
  item.append(mark, text)
  return item
}

/** @param {string} text @param {string} className */
function span(text, className) {
  const element = document.createElement('span')
  element.className = className
  element.textContent = text
  return element
}

/** An empty value removes its attribute. @param {Element} element @param {Record<string, string>} attributes */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value) element.setAttribute(name, value)
    else element.removeAttribute(name)
  }
}
