source_filename = "odd.c"
@table = global [2 x ptr] [ptr blockaddress(@jumps, %here), ptr blockaddress(@jumps, %"and there")]
module asm "nop"

declare i32 @personality(...)
declare void @outside() #0

define dso_local void @jumps(i32 noundef, ptr %p) #0 personality ptr @personality !kind !0 {
  switch i32 %0, label %here [
    i32 1, label %here
    i32 2, label %"and there"
  ]

here:                                             ; preds = %1
  indirectbr ptr %p, [label %here, label %"and there", label %2]

  %3 = call i32 asm sideeffect "br ${1:l}; ret", "=r,r"(i32 7) #0, !kind !0
  callbr void asm "jmp ${0:l}", "!i"()
          to label %4 [label %"and there"]

4:
  invoke void @outside()
          to label %"and there" unwind label %failed

dead:
  br label %dead.too

dead.too:
  br i1 true, label %dead, label %"and there"

"and there":
  ret void

failed:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
}

define void @"a \22 b => c"() {
"x => y":
  br label %"12"
"12":
  ret void
}

attributes #0 = { nounwind "key"="value" }
!0 = !{!"define void @no() {"}
