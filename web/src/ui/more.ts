/* A list that scrolls says so: it fades out where it goes on, and tells how many of its lines are out of sight. */

import type { Attachment } from "svelte/attachments";

/** Watch a list; `tell` hears how many of its children are not wholly in sight below. */
export function more(tell: (below: number) => void): Attachment<HTMLElement> {
  return list => {
    const look = () => {
      const end = list.getBoundingClientRect().bottom + 1,
        goesOn = list.scrollHeight - list.scrollTop - list.clientHeight > 2,
        below = goesOn ? [...list.children].filter(c => c.getBoundingClientRect().bottom > end).length : 0;
      list.classList.toggle("more", below > 0);
      tell(below);
    };
    const size = new ResizeObserver(look),
      content = new MutationObserver(look);
    size.observe(list);
    content.observe(list, { childList: true, subtree: true, characterData: true });
    list.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      size.disconnect();
      content.disconnect();
      list.removeEventListener("scroll", look);
    };
  };
}

/** Watch a list in a panel that scrolls as a whole; `tell` hears how many of its children are hidden by what stays at the panel's foot, or below it. */
export function under(foot: HTMLElement, tell: (below: number) => void): Attachment<HTMLElement> {
  return list => {
    const look = () => {
      const end = foot.getBoundingClientRect().top + 1;
      tell([...list.children].filter(c => c.getBoundingClientRect().bottom > end).length);
    };
    const size = new ResizeObserver(look);
    for (const one of [list, foot, foot.parentElement]) if (one) size.observe(one);
    // Whichever of those around it scrolls.
    const heard = { capture: true, passive: true };
    addEventListener("scroll", look, heard);
    return () => {
      size.disconnect();
      removeEventListener("scroll", look, heard);
    };
  };
}
