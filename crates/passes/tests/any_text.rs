//! No text, however broken, makes the reader or a family of changes fail.
#![allow(clippy::unwrap_used)] // in tests, a panic is the message

use base::Edit;
use passes::ir::{FAMILIES, is_plausible};
use proptest::prelude::*;

const MODULE: &str = r#"source_filename = "a.c"
target datalayout = "e-m:e-i64:64"
%T = type { i32, ptr }
$c = comdat any
@g = internal unnamed_addr global [2 x i8] c"ab", comdat($c), align 4
@h = alias i8, ptr @g
declare i32 @print(ptr, ...) #0
define internal fastcc noundef i32 @f(i32, ptr nocapture align 8 %p) #0 personality ptr @print !dbg !1 {
  %2 = call i32 (ptr, ...) @print(ptr @g, i32 %0), !dbg !DILocation(line: 1, scope: !1)
  %"a b" = load atomic volatile i32, ptr %p syncscope("x") seq_cst, align 4
  switch i32 %2, label %x [
    i32 1, label %x
    i32 2, label %3
  ]
3:
  %r = invoke fastcc i32 @f(i32 1, ptr null)
          to label %x unwind label %y
x:
  %q = phi i32 [ 1, %1 ], [ 2, %1 ], [ %r, %3 ]
  %v = shufflevector <2 x i8> zeroinitializer, <2 x i8> poison, <2 x i32> <i32 0, i32 1>
  %e = extractvalue { i8, { ptr } } zeroinitializer, 1, 0
  br i1 true, label %z, label %w, !prof !2
y:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
w:
  br label %z
z:
  ret i32 %q
}
attributes #0 = { nounwind "k"="v" }
!llvm.ident = !{!0}
!0 = distinct !{!0, !"a"}
!1 = !DIFile(filename: "a", directory: "b")
!2 = !{!"branch_weights", i32 0, i32 1}
"#;

/// Every change of every family can be made to the text, alone and all together.
fn try_all(text: &[u8]) {
    let _ = is_plausible(text);
    for family in FAMILIES {
        let changes = family.changes(text);
        let _ = Edit::apply(changes.iter().flatten(), text);
        for change in &changes {
            let _ = Edit::apply(change, text);
        }
    }
}

#[test]
fn the_whole_module_is_plausible_and_every_family_finds_something() {
    assert!(is_plausible(MODULE.as_bytes()));
    try_all(MODULE.as_bytes());
    let idle =
        ["delete unreachable blocks", "join blocks that return the same", "delete parameters"];
    for family in FAMILIES.iter().filter(|family| !idle.contains(&family.name)) {
        let found = family.changes(MODULE.as_bytes()).len();
        // What the module has not: unused items, chains of blocks, several values of a type.
        let rare = [
            "strip",
            "not used",
            "merge",
            "operand",
            "earlier",
            "label",
            "short names",
            "what they name",
            "parameters",
        ];
        assert!(found > 0 || rare.iter().any(|rare| family.name.contains(rare)), "{}", family.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]
    #[test]
    fn modules_with_holes_are_read(start in 0..MODULE.len(), len in 1usize..40, again in 0..MODULE.len()) {
        let mut text = MODULE.as_bytes().to_vec();
        text.drain(start..(start + len).min(text.len()));
        let again = again.min(text.len());
        try_all(&text[..again]);
        try_all(&text[again..]);
        try_all(&text);
    }

    #[test]
    fn any_tokens_are_read(words in proptest::collection::vec(
        prop::sample::select(vec!["define", "i32", "@f", "(", ")", "{", "}", "%a", "=", "call", "br",
            "label", "x:", "\n", "phi", "[", "]", ",", "<", ">", "!0", "!dbg", "#0", "\"", "ret", "void",
            "switch", "invoke", "to", "align", "4", "asm", "getelementptr", "ptr", "*", "declare", "...",
            "global", "target", "datalayout", "attributes", "personality", "extractvalue", "shufflevector"]), 0..40)) {
        try_all(words.join(" ").as_bytes());
    }
}
