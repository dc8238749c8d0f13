import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const rehearsal = catalogue({
  title: navigation.rehearsal,
  lead: [
    'The rehearsal runs a shipped program against this store. The published client runs in your browser and calls the real server.',
    'Führt ein ausgeliefertes Programm mit diesem Shop aus: Der veröffentlichte Client läuft hier im Browser und ruft den echten Server auf.',
    'Ejecuta un programa distribuido contra esta tienda: el cliente publicado corre aquí en su navegador y habla con el servidor real.',
  ],
  recordsLead: [
    'It creates one license key and one string, and deletes both at the end. Its actions stay in the audit trail.',
    'Er legt einen Lizenzschlüssel und einen Text an und löscht beide am Ende. Im Prüfprotokoll bleibt, was er getan hat.',
    'Crea una clave de licencia y un texto, y elimina ambos al final. Lo que hizo queda en el registro de auditoría.',
  ],
  app: ['App', 'App', 'Aplicación'],
  run: ['Start the rehearsal', 'Probelauf starten', 'Ejecutar el ensayo'],
  running: ['Step {n} of {of} …', 'Schritt {n} von {of} …', 'Paso {n} de {of} …'],
  passed: [
    'All {n} steps ended as expected.',
    'Alle {n} Schritte endeten, wie sie sollen.',
    'Los {n} pasos terminaron como deben.',
  ],
  stopped: [
    'A step did not end as expected. The later steps were not run.',
    'Ein Schritt endete anders. Die Schritte danach wurden nicht ausgeführt.',
    'Un paso terminó de otro modo. Los siguientes no se ejecutaron.',
  ],
  onlyTest: [
    'The rehearsal runs on the test side only, because it creates and bans a license key.',
    'Der Probelauf geht nur in der Testumgebung, denn er legt einen Lizenzschlüssel an und sperrt ihn.',
    'El ensayo solo funciona en el lado de prueba, porque crea y bloquea una clave de licencia.',
  ],
  toTest: ['Go to the test side', 'Zur Testumgebung', 'Ir al lado de prueba'],
  noApp: [
    'There is no app yet. Create one first.',
    'Es gibt noch keine App. Legen Sie zuerst eine an.',
    'Aún no hay ninguna aplicación. Cree una primero.',
  ],
  noCrypto: [
    'Your browser has no Ed25519 signatures, or this page was not opened over https. Use a current browser and https.',
    'Ihr Browser kennt keine Ed25519-Signaturen, oder diese Seite wurde nicht über https geöffnet. Nutzen Sie einen aktuellen Browser und https.',
    'Su navegador no tiene firmas Ed25519, o esta página no se abrió por https. Use un navegador actual y https.',
  ],
  server: ['Your server', 'Ihr Server', 'Su servidor'],
  program: ['The program', 'Das Programm', 'El programa'],
  machine: ['The program, offline', 'Das Programm, offline', 'El programa, sin conexión'],
  expected: ['As expected', 'Wie erwartet', 'Como se espera'],
  unexpected: ['Not as expected', 'Nicht wie erwartet', 'No como se espera'],
  result: ['Result', 'Ergebnis', 'Resultado'],
  mayRun: [
    'Can it run on its lease?',
    'Darf es auf seiner Frist laufen?',
    '¿Puede funcionar con su plazo?',
  ],
  exchanges: ['Requests and answers', 'Anfragen und Antworten', 'Solicitudes y respuestas'],
  noExchange: [
    'No request: the program decides offline.',
    'Keine Anfrage: Das Programm entscheidet allein.',
    'Sin solicitud: el programa decide solo.',
  ],
  request: ['Request', 'Anfrage', 'Solicitud'],
  answer: ['Answer', 'Antwort', 'Respuesta'],
  noAnswer: ['There was no answer.', 'Es kam keine Antwort.', 'No llegó respuesta.'],
  signature: ['Signature of the answer', 'Signatur der Antwort', 'Firma de la respuesta'],
})

/** For each step: its name, and what a program should do there. */
export const steps = catalogue({
  prepare: [
    'Create a license key for one device',
    'Lizenzschlüssel für ein Gerät anlegen',
    'Crear una clave para un dispositivo',
  ],
  prepareAdvice: [
    'Your server creates keys. The program is shipped with the public id of the app and the public signing keys, and with no secret.',
    'Ihr Server legt Schlüssel an. Das Programm wird mit der öffentlichen Id der App und den öffentlichen Signaturschlüsseln ausgeliefert, ohne Geheimnis.',
    'Su servidor crea las claves. El programa se distribuye con el id público de la aplicación y las claves públicas de firma, sin ningún secreto.',
  ],
  start: [
    'Start: activate the key on this machine',
    'Start: Schlüssel auf diesem Gerät aktivieren',
    'Inicio: activar la clave en este equipo',
  ],
  startAdvice: [
    'Start a session at each start. VALID registers the device; keep its device key in the secret storage of the machine.',
    'Beginnen Sie bei jedem Start eine Sitzung. VALID registriert das Gerät; bewahren Sie den Geräteschlüssel im Geheimspeicher auf.',
    'Abra una sesión en cada inicio. VALID registra el dispositivo; guarde su clave en el almacén secreto del equipo.',
  ],
  heartbeat: ['Heartbeat', 'Lebenszeichen', 'Señal de vida'],
  heartbeatAdvice: [
    'Repeat it every heartbeat_seconds. It extends the lease; the device key signs the request.',
    'Wiederholen Sie es alle heartbeat_seconds. Es verlängert die Frist; der Geräteschlüssel signiert die Anfrage.',
    'Repítala cada heartbeat_seconds. Prolonga el plazo; la clave del dispositivo firma la solicitud.',
  ],
  string: ['Fetch a string', 'Text abrufen', 'Obtener un texto'],
  stringAdvice: [
    'Fetch values that must not be inside the program. Use them, and do not store them.',
    'Rufen Sie ab, was nicht im Programm stehen darf, nutzen Sie es und speichern Sie es nicht.',
    'Obtenga lo que no debe estar en el programa, úselo y no lo guarde.',
  ],
  secondMachine: [
    'The same key on a second machine',
    'Derselbe Schlüssel auf einem zweiten Gerät',
    'La misma clave en otro equipo',
  ],
  secondMachineAdvice: [
    'Do not run on that machine. Tell the user that the key is in use, and how to free the other machine.',
    'Das Programm darf dort nicht laufen. Sagen Sie, dass der Schlüssel benutzt wird und wie das andere Gerät frei wird.',
    'El programa no debe funcionar allí. Diga que la clave está en uso y cómo liberar el otro equipo.',
  ],
  forged: [
    'A forger changes an answer',
    'Ein Fälscher ändert eine Antwort',
    'Un falsificador cambia una respuesta',
  ],
  forgedAdvice: [
    'Trust no part of it: the signature covers each byte of the answer. Treat it as no answer, and continue with the lease.',
    'Trauen Sie nichts davon: Die Signatur deckt jedes Byte der Antwort. Behandeln Sie es wie keine Antwort, und nutzen Sie die Frist weiter.',
    'No confíe en nada de ella: la firma cubre cada byte. Trátela como falta de respuesta y siga con el plazo.',
  ],
  file: ['Take an offline license', 'Offline-Lizenz holen', 'Obtener una licencia sin conexión'],
  fileAdvice: [
    'Store the file and the latest time that the server signed. The file is valid on this machine only, and for the time that you requested.',
    'Speichern Sie die Datei und die letzte vom Server signierte Zeit. Die Datei gilt nur für dieses Gerät und so lange, wie angefragt.',
    'Guarde el archivo y la última hora firmada por el servidor. Vale solo para este equipo y por el tiempo pedido.',
  ],
  offline: ['The network is cut', 'Das Netz ist weg', 'Se corta la red'],
  offlineAdvice: [
    'No answer is neither yes nor no. Continue until the lease ends, and try again later.',
    'Keine Antwort ist weder Ja noch Nein. Machen Sie bis zum Ende der Frist weiter, und versuchen Sie es später.',
    'Sin respuesta no es ni sí ni no. Siga hasta que termine el plazo e inténtelo más tarde.',
  ],
  offlineFile: [
    'Check the offline license',
    'Offline-Lizenz prüfen',
    'Comprobar la licencia sin conexión',
  ],
  offlineFileAdvice: [
    'Without the network, the file decides: its signature, this machine, and its end.',
    'Ohne Netz entscheidet die Datei: ihre Signatur, dieses Gerät und ihr Ende.',
    'Sin red decide el archivo: su firma, este equipo y su fin.',
  ],
  clockBack: [
    'The clock is set back by a day',
    'Die Uhr wird um einen Tag zurückgestellt',
    'El reloj se atrasa un día',
  ],
  clockBackAdvice: [
    'Do not accept the file. Ask the user to set the clock, or to go online.',
    'Nehmen Sie die Datei nicht an. Bitten Sie, die Uhr zu stellen oder online zu gehen.',
    'No acepte el archivo. Pida ajustar el reloj o conectarse.',
  ],
  ban: ['The key is banned', 'Der Schlüssel wird gesperrt', 'Se bloquea la clave'],
  banAdvice: [
    'Your server bans a key, here or through the API. Its sessions end at once.',
    'Ihr Server sperrt einen Schlüssel, hier oder über die API. Seine Sitzungen enden sofort.',
    'Su servidor bloquea una clave, aquí o por la API. Sus sesiones terminan enseguida.',
  ],
  afterBan: ['The next heartbeat', 'Das nächste Lebenszeichen', 'La siguiente señal de vida'],
  afterBanAdvice: [
    'A signed refusal ends the lease at once. Stop, and delete the offline license.',
    'Eine signierte Ablehnung beendet die Frist sofort. Halten Sie an, und löschen Sie die Offline-Lizenz.',
    'Un rechazo firmado termina el plazo enseguida. Deténgase y borre la licencia sin conexión.',
  ],
  startBanned: ['A new start', 'Ein neuer Start', 'Un nuevo inicio'],
  startBannedAdvice: [
    'Tell the user that the key is banned and whom to ask. Do not offer to try the same key again.',
    'Sagen Sie, dass der Schlüssel gesperrt ist und wen man fragt. Bieten Sie keinen neuen Versuch damit an.',
    'Diga que la clave está bloqueada y a quién preguntar. No ofrezca otro intento con ella.',
  ],
  fileAfterBan: [
    'The offline license after the ban',
    'Die Offline-Lizenz nach der Sperre',
    'La licencia sin conexión tras el bloqueo',
  ],
  fileAfterBanAdvice: [
    'A machine that never goes online does not receive the ban. The file is valid until it ends. Request short-lived files.',
    'Ein Gerät, das nie online geht, erfährt nichts von der Sperre: Die Datei gilt bis zu ihrem Ende. Fordern Sie Dateien mit kurzer Gültigkeit an.',
    'Un equipo que nunca se conecta no se entera del bloqueo: el archivo vale hasta su fin. Pida archivos de corta duración.',
  ],
  cleanUp: ['Clean up', 'Aufräumen', 'Limpiar'],
  cleanUpAdvice: [
    'The key and the string of the rehearsal are deleted.',
    'Der Schlüssel und der Text des Probelaufs werden gelöscht.',
    'Se eliminan la clave y el texto del ensayo.',
  ],
})
