// Search while typing: a combobox over the printed index. Enter without a selection searches on the
// server.
import { rank } from './rank.js'

/** @typedef {{ title: string, kind: string, href: string, about: string }} Found */

const SHOWN_MAX = 12

export function offerSearch() {
  const form = document.querySelector('form[role="search"]')
  const input = form?.querySelector('input')
  if (!(form instanceof HTMLFormElement) || !input) return
  const results = listFor(form, input)
  const load = loader(form.dataset.index ?? '')
  input.addEventListener('focus', () => void load())
  input.addEventListener('input', async () => {
    const entries = await load()
    results.show(rank(entries, input.value).slice(0, SHOWN_MAX))
  })
  input.addEventListener('blur', () => setTimeout(results.close, 150))
  input.addEventListener('keydown', (event) => {
    if (results.takes(event.key)) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const typing =
      event.target instanceof Element && event.target.closest('input, textarea, dialog')
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** Fetches the index once; if that fails, there are no results. @param {string} url */
function loader(url) {
  /** @type {Promise<Found[]> | undefined} */
  let index
  return () => {
    index ??= fetchIndex(url).catch(() => {
      index = undefined
      return []
    })
    return index
  }
}

/** @param {string} url @returns {Promise<Found[]>} */
const fetchIndex = async (url) => (await fetch(url)).json()

/** @param {HTMLFormElement} form @param {HTMLInputElement} input */
function listFor(form, input) {
  const list = document.createElement('ul')
  /** @type {Found[]} */
  let found = []
  let at = -1
  set(list, { class: 'results', id: 'found', role: 'listbox', 'aria-label': 'Search results' })
  set(input, { role: 'combobox', 'aria-controls': 'found', 'aria-autocomplete': 'list' })
  form.append(list)

  /** @param {number} next */
  const choose = (next) => {
    at = next
    for (const [no, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(no === at))
      if (no === at) item.scrollIntoView({ block: 'nearest' })
    }
    set(input, { 'aria-activedescendant': at < 0 ? '' : `found-${at}` })
  }
  /** @param {Found[]} entries */
  const show = (entries) => {
    found = document.activeElement === input ? entries : []
    list.replaceChildren(...found.map(itemOf))
    list.hidden = found.length === 0
    set(input, { 'aria-expanded': String(!list.hidden) })
    choose(-1)
  }
  const close = () => show([])
  /** @param {Found | undefined} entry */
  const go = (entry) => {
    if (entry) location.assign((document.body.dataset.base ?? '') + entry.href)
    close()
    return entry !== undefined
  }
  /** Returns true if the list handled the key. @param {string} key */
  const takes = (key) => {
    if (list.hidden) return false
    if (key === 'ArrowDown') choose((at + 1) % found.length)
    else if (key === 'ArrowUp') choose((Math.max(at, 0) + found.length - 1) % found.length)
    else if (key === 'Escape') close()
    else return key === 'Enter' && at >= 0 && go(found[at])
    return true
  }
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    const item = event.target instanceof Element ? event.target.closest('li') : null
    if (item) go(found[[...list.children].indexOf(item)])
  })
  show([])
  return { show, close, takes }
}

/** @param {Found} entry @param {number} no */
function itemOf({ title, kind, about }, no) {
  const item = document.createElement('li')
  set(item, { id: `found-${no}`, role: 'option' })
  const mark = span(kind, `method m-${kind.toLowerCase()}`)
  const text = span('', 'found')
  const name = document.createElement('code')
  name.textContent = title
  text.append(name, span(about, ''))
  item.append(mark, text)
  return item
}

/** @param {string} text @param {string} name */
function span(text, name) {
  const element = document.createElement('span')
  element.className = name
  element.textContent = text
  return element
}

/** Sets attributes; an empty one is removed. @param {Element} element @param {Record<string, string>} attributes */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value) element.setAttribute(name, value)
    else element.removeAttribute(name)
  }
}
