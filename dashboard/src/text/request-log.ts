import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const requestLog = catalogue({
  title: navigation.requestLog,
  empty: [
    'Calls with API keys appear here. Make one with a key of this store.',
    'Hier erscheinen Aufrufe mit API-Keys. Machen Sie einen mit einem Key dieses Shops.',
    'Aquí aparecen las llamadas con claves de API. Haga una con una clave de esta tienda.',
  ],
  toKeys: ['Open the API keys', 'API-Keys öffnen', 'Abrir las claves de API'],
  call: ['Call', 'Aufruf', 'Llamada'],
  operation: ['Operation', 'Operation', 'Operación'],
  refusal: ['Refusal', 'Ablehnung', 'Rechazo'],
  duration: ['Duration', 'Dauer', 'Duración'],
  ms: ['{n} ms', '{n} ms', '{n} ms'],
  key: ['Key', 'Key', 'Clave'],
  when: ['When', 'Wann', 'Cuándo'],
  requestId: ['Request id', 'Anfrage-ID', 'Id de solicitud'],
  address: ['IP address', 'IP-Adresse', 'Dirección IP'],
  program: ['Program', 'Programm', 'Programa'],
  idempotency: ['Idempotency-Key', 'Idempotency-Key', 'Idempotency-Key'],
  request: ['Request', 'Gefragt', 'Lo solicitado'],
  answer: ['Answer', 'Geantwortet', 'Lo respondido'],
  masked: ['Secrets are masked.', 'Geheimnisse sind verdeckt.', 'Los secretos están ocultos.'],
  noBody: ['There is no body.', 'Ohne Inhalt.', 'Sin contenido.'],
  notStored: [
    'The body ({size}) was not stored: it is too long, a file, or not JSON.',
    'Der Inhalt mit {size} wurde nicht gespeichert: zu lang, eine Datei oder kein JSON.',
    'El contenido de {size} no se guardó: es largo, un archivo o no es JSON.',
  ],
  replay: ['Run again', 'Erneut ausführen', 'Repetir'],
  replayLead: [
    'Runs {call} again on the test side, as yourself and with a new Idempotency-Key.',
    'Führt {call} in der Testumgebung erneut aus, als Sie selbst und mit neuem Idempotency-Key.',
    'Repite {call} en el lado de prueba, en su nombre y con una Idempotency-Key nueva.',
  ],
  replayed: [
    'Answer of the new call',
    'Antwort des neuen Aufrufs',
    'Respuesta de la llamada nueva',
  ],
  notRepeatable: [
    'It cannot be run again: {why}',
    'Nicht wiederholbar: {why}',
    'No se puede repetir: {why}',
  ],
  ok: ['Succeeded', 'Erfolgreich', 'Con éxito'],
  refused: ['Refused (4xx)', 'Abgelehnt (4xx)', 'Rechazadas (4xx)'],
  failed: ['Failed (5xx)', 'Fehlgeschlagen (5xx)', 'Fallidas (5xx)'],
})
