// What the phone keeps: one record for each invitation, in IndexedDB.
//
// A record has `id`, `code` until it is redeemed, `codeHash`, the key (`pair`, `jwk`), and once redeemed what the
// server answered (`access`) and the gates that have seen the token (`known`).

const NAME = "tapstile";
const RECORDS = "records";

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(RECORDS, { keyPath: "id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error("the database is blocked"));
  });
}

/** One transaction. It is on the disk when this returns. */
async function transact(mode, act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(RECORDS, mode, { durability: "strict" });
      const request = act(transaction.objectStore(RECORDS));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** All records, the oldest first. */
export async function records() {
  const all = await transact("readonly", (store) => store.getAll());
  return all.sort((one, other) => one.since - other.since);
}

export const keep = (record) => transact("readwrite", (store) => store.put(record));

/** Changes a record that is still there: another window may have deleted it meanwhile. Answers whether it was. */
export async function change(id, fields) {
  const found = await transact("readwrite", (store) => {
    const request = store.get(id);
    request.addEventListener("success", () => request.result && store.put({ ...request.result, ...fields }));
    return request;
  });
  return found !== undefined;
}

export const remove = (id) => transact("readwrite", (store) => store.delete(id));
